import type { Source } from '../language/source';
import { isJsonObject } from '../formats/json';
import { widthOf } from './text-width';
import { lastOf } from '../values/lookups';

/** The maximum line length, and the indentation. */
const maxLineLength = 120;
const indentation = '  ';

/**
 * Formats a definition like its file: two spaces, and everything that fits into 120 characters on one
 * line. The order of keys is kept. Prettier leaves the result unchanged.
 *
 * @example formatSource(source); // as the file is written
 */
export function formatSource(source: Source): string {
  return `${formatJson(source)}\n`;
}

/**
 * Any JSON value in the same manner, without the line's end.
 *
 * @example formatJson('a'); // '"a"'
 */
export function formatJson(value: unknown): string {
  return formatMultiline(value, '');
}

/** A value with its outer braces on separate lines. */
function formatMultiline(value: unknown, indent: string): string {
  const inner = indent + indentation;
  if (Array.isArray(value) && value.length > 0) {
    if (value.every((member) => typeof member === 'number')) return fillLines(value as number[], indent);
    const entries = value.map(
      (member, index) => inner + formatValue(member, inner, inner.length, index < value.length - 1),
    );
    return `[\n${entries.join(',\n')}\n${indent}]`;
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    const keys = definedKeys(value);
    const entries = keys.map((key, index) => {
      const prefix = `${JSON.stringify(key)}: `;
      return inner + prefix + formatValue(value[key], inner, inner.length + prefix.length, index < keys.length - 1);
    });
    return `{\n${entries.join(',\n')}\n${indent}}`;
  }
  return formatInline(value);
}

/** A value at a `column` of its line: on that line if it fits, otherwise on several lines. */
function formatValue(value: unknown, indent: string, column: number, comma: boolean): string {
  const line = mustBreak(value) ? undefined : formatInline(value);
  return line !== undefined && column + widthOf(line) + (comma ? 1 : 0) <= maxLineLength
    ? line
    : formatMultiline(value, indent);
}

function formatInline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`;
  if (!isJsonObject(value)) return formatScalar(value);
  const entries = definedKeys(value).map((key) => `${JSON.stringify(key)}: ${formatInline(value[key])}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Lists of several objects (or of several lists) with more than one part each read better below one another. */
function mustBreak(value: unknown): boolean {
  if (Array.isArray(value)) {
    const [objects, lists] = [value.every(isJsonObject), value.every(Array.isArray)];
    const rich = (member: unknown) =>
      (Array.isArray(member) ? member.length : definedKeys(member as Record<string, unknown>).length) > 1;
    return (value.length > 1 && (objects || lists) && value.every(rich)) || value.some(mustBreak);
  }
  return isJsonObject(value) && definedKeys(value).some((key) => mustBreak(value[key]));
}

/** A list of numbers that is too long for a line fills several lines. */
function fillLines(numbers: readonly number[], indent: string): string {
  const inner = indent + indentation;
  const lines = [inner];
  numbers.forEach((number, index) => {
    const text = `${formatScalar(number)}${index < numbers.length - 1 ? ',' : ''}`;
    const line = lastOf(lines);
    if (line === inner) lines[lines.length - 1] = line + text;
    else if (line.length + 1 + text.length <= maxLineLength) lines[lines.length - 1] = `${line} ${text}`;
    else lines.push(inner + text);
  });
  return `[\n${lines.join('\n')}\n${indent}]`;
}

/** The keys that JSON has of an object. */
function definedKeys(value: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

function formatScalar(value: unknown): string {
  return typeof value === 'number' ? JSON.stringify(value).replace('e+', 'e') : JSON.stringify(value);
}
