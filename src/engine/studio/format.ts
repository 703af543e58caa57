import type { Source } from '../definitions/source';
import { isObject } from './json';
import { widthOf } from './text-width';

/** The maximum line length, and the indentation. */
const longest = 120;
const step = '  ';

/**
 * Formats a definition like its file in `resources/`: two spaces, and everything that fits into 120 characters on one
 * line. The order of keys is kept. Prettier leaves the result unchanged.
 */
export function formatSource(source: Source): string {
  return `${formatJson(source)}\n`;
}

/** Any JSON value in the same manner, without the line's end. */
export function formatJson(value: unknown): string {
  return broken(value, '');
}

/** A value with its outer braces on separate lines. */
function broken(value: unknown, indent: string): string {
  const inner = indent + step;
  if (Array.isArray(value) && value.length > 0) {
    if (value.every((one) => typeof one === 'number')) return filled(value as number[], indent);
    const entries = value.map((one, index) => inner + placed(one, inner, inner.length, index < value.length - 1));
    return `[\n${entries.join(',\n')}\n${indent}]`;
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    const keys = written(value);
    const entries = keys.map((key, index) => {
      const before = `${JSON.stringify(key)}: `;
      return inner + before + placed(value[key], inner, inner.length + before.length, index < keys.length - 1);
    });
    return `{\n${entries.join(',\n')}\n${indent}}`;
  }
  return onLine(value);
}

/** A value after `before` characters of its line: on that line if it fits, otherwise on several lines. */
function placed(value: unknown, indent: string, before: number, comma: boolean): string {
  const line = mustBreak(value) ? undefined : onLine(value);
  return line !== undefined && before + widthOf(line) + (comma ? 1 : 0) <= longest ? line : broken(value, indent);
}

function onLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onLine).join(', ')}]`;
  if (!isObject(value)) return plain(value);
  const entries = written(value).map((key) => `${JSON.stringify(key)}: ${onLine(value[key])}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Lists of several objects (or of several lists) with more than one part each read better below one another. */
function mustBreak(value: unknown): boolean {
  if (Array.isArray(value)) {
    const [objects, lists] = [value.every(isObject), value.every(Array.isArray)];
    const rich = (one: unknown) =>
      (Array.isArray(one) ? one.length : written(one as Record<string, unknown>).length) > 1;
    return (value.length > 1 && (objects || lists) && value.every(rich)) || value.some(mustBreak);
  }
  return isObject(value) && written(value).some((key) => mustBreak(value[key]));
}

/** A list of numbers that is too long for a line fills several lines. */
function filled(numbers: readonly number[], indent: string): string {
  const inner = indent + step;
  const lines = [inner];
  numbers.forEach((number, index) => {
    const text = `${plain(number)}${index < numbers.length - 1 ? ',' : ''}`;
    const line = lines.at(-1)!;
    if (line === inner) lines[lines.length - 1] = line + text;
    else if (line.length + 1 + text.length <= longest) lines[lines.length - 1] = `${line} ${text}`;
    else lines.push(inner + text);
  });
  return `[\n${lines.join('\n')}\n${indent}]`;
}

/** The keys that JSON has of an object. */
function written(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

function plain(value: unknown): string {
  return typeof value === 'number' ? JSON.stringify(value).replace('e+', 'e') : JSON.stringify(value);
}
