import { isObject, same } from './json';
import { changeInWords } from './words';

/** The differences between two versions of a column, as text. */
export function columnTexts(before: unknown, after: unknown): string[] {
  const [old, fresh] = [read(before), read(after)];
  return [
    ...(old.visible !== fresh.visible && !old.fixed && !fresh.fixed
      ? [fresh.visible ? 'shown by default' : 'no longer shown by default']
      : []),
    ...(old.fixed !== fresh.fixed ? [fresh.fixed ? 'cannot be switched off' : 'can be switched off'] : []),
    ...(['label', 'width'] as const)
      .filter((key) => !same(old[key], fresh[key]))
      .map((key) => changeInWords(key, old[key], fresh[key])),
  ];
}

function read(column: unknown): { visible: boolean; fixed: boolean; label?: unknown; width?: unknown } {
  if (isObject(column)) {
    return { visible: column.visible === true, fixed: column.fixed === true, label: column.label, width: column.width };
  }
  const marks = String(column).replace(/^[^!*]*/, '');
  return { visible: marks !== '', fixed: marks.includes('!') };
}
