import { isReservedName } from '../check/check-names';
import { writtenTypeOf } from '../field-types';
import type { FieldTypeName } from '../definitions/definition';
import type { Source } from '../language/source';
import { systemFields } from '../normalise/system-fields';

const maxLength = 63;

/**
 * Creates a field name from a label: `Due date (UTC)` → `due_date_utc`. Unsupported characters are left out.
 *
 * @example nameFromLabel('Due date (UTC)'); // 'due_date_utc'
 */
export function nameFromLabel(words: string, fallback = 'field'): string {
  const name = words
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, maxLength)
    .replace(/_+$/, '');
  return name === '' ? fallback : name;
}

/** A name for a new field that the definition can take, from its label. */
export function uniqueFieldName(
  source: Pick<Source, 'name' | 'fields'> & Partial<Source>,
  label: string,
  type?: FieldTypeName,
): string {
  // The join table of a field with many relations is named after the resource and the field.
  const longest =
    writtenTypeOf({ type }).holds === 'records' ? maxLength - '__'.length - source.name.length : maxLength;
  const name = nameFromLabel(label)
    .slice(0, Math.max(1, longest - '_99'.length))
    .replace(/_+$/, '');
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (fieldNameProblem(source, candidate) === undefined) return candidate;
  }
}

/**
 * Why a field cannot have this name, as text; undefined if it can.
 *
 * @example fieldNameProblem({ name: 'deals', fields: {} }, 'due_date'); // undefined
 */
export function fieldNameProblem(
  source: Pick<Source, 'name' | 'fields'> & Partial<Source>,
  name: string,
): string | undefined {
  if (!/^[a-z][A-Za-z0-9_]*$/.test(name))
    return 'Names start with a lower-case letter, followed by letters, digits and _.';
  if (name.length > maxLength) return `Names must have at most ${maxLength} characters.`;
  if (Object.hasOwn(source.fields, name)) return `A field "${name}" already exists.`;
  if (isReservedName(name) || Object.hasOwn(systemFields(source as Source), name))
    return `"${name}" is reserved by the program.`;
  const similarName = Object.keys(source.fields).find((fieldName) => fieldName.toLowerCase() === name.toLowerCase());
  if (similarName !== undefined) return `"${similarName}" differs only in upper and lower case.`;
  const bound = /^(.+)_(from|to)$/.exec(name)?.[1];
  if (bound !== undefined && Object.hasOwn(source.fields, bound))
    return `"${name}" is reserved for range filters on "${bound}".`;
  const clashingName = ['from', 'to']
    .map((end) => `${name}_${end}`)
    .find((rangeName) => Object.hasOwn(source.fields, rangeName));
  if (clashingName !== undefined)
    return `The existing field "${clashingName}" would clash with range filters on "${name}".`;
  for (const [otherName, field] of Object.entries({ ...systemFields(source as Source), ...source.fields })) {
    const responseNames =
      writtenTypeOf(field).holds === 'referrers'
        ? [field.countName ?? `${otherName}_count`, ...(field.sum ? [`${otherName}_sum`] : [])]
        : [field.embed];
    if (responseNames.includes(name)) return `"${name}" is already used by the field "${otherName}" in responses.`;
    if (field.formerName === name) return `"${name}" is the former name of the field "${otherName}".`;
  }
  return undefined;
}
