import { isJsonObject, isSameJson } from './json';
import { describeChange } from './describe-change';

/** The differences between two versions of a column, as text. */
export function describeColumnChanges(before: unknown, after: unknown): string[] {
  const [old, fresh] = [readColumnFlags(before), readColumnFlags(after)];
  return [
    ...(old.visible !== fresh.visible && !old.fixed && !fresh.fixed
      ? [fresh.visible ? 'shown by default' : 'no longer shown by default']
      : []),
    ...(old.fixed !== fresh.fixed ? [fresh.fixed ? 'cannot be switched off' : 'can be switched off'] : []),
    ...(['label', 'width'] as const)
      .filter((key) => !isSameJson(old[key], fresh[key]))
      .map((key) => describeChange(key, old[key], fresh[key])),
  ];
}

function readColumnFlags(column: unknown): { visible: boolean; fixed: boolean; label?: unknown; width?: unknown } {
  if (isJsonObject(column)) {
    return { visible: column.visible === true, fixed: column.fixed === true, label: column.label, width: column.width };
  }
  const marks = String(column).replace(/^[^!*]*/, '');
  return { visible: marks !== '', fixed: marks.includes('!') };
}
