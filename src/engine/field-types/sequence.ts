import type { Field, FieldOf } from '../definitions/definition';
import type { FieldType } from './field-type';
import { textValues } from './text';

/**
 * A readable key such as `TC-142`, which the server gives to each new record: never written by clients, never changed,
 * and never given twice.
 */
export const sequence: FieldType<FieldOf<'sequence'>> = {
  ...textValues,
  normalise: ({ format, partitionBy, gapless = false }, { source }) => {
    const inCompany = source.scope === undefined || source.scope === 'company' || source.scope === 'both';
    const partition = partitionBy ?? (inCompany ? 'company' : 'installation');
    return { format, partitionBy: partition, gapless, unique: partition === 'company' ? 'company' : 'installation' };
  },
  schema: () => ({ type: 'string', maxLength: 255 }),
  maxLength: undefined,
  isDerived: true,
  isDetail: true,
  sortsByNumbers: true,
  width: 'quarter',
};

/**
 * Whether a field has a key that the server numbers.
 *
 * @example Object.values(definition.fields).find(isSequence)?.format; // 'TC-{n}'
 */
export function isSequence(field: Field): field is FieldOf<'sequence'> {
  return field.type === 'sequence';
}

/** The place of the number in a format. */
export const numberPlace = 'n';

/** Text of a format, or the path of a value: `n`, a field, or a field of a related record (`project_id.code`). */
export type FormatPart = { readonly text: string } | { readonly path: string };

/**
 * `{project_id.code}-{n}` → the path `project_id.code`, the text `-`, the path `n`.
 *
 * @example formatParts('{project_id.code}-{n}'); // [{ path: 'project_id.code' }, { text: '-' }, { path: 'n' }]
 */
export function formatParts(format: string): FormatPart[] {
  return format
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{[^{}]*\}$/.test(part) ? { path: part.slice(1, -1) } : { text: part }));
}

/**
 * The column whose values have numbers of their own; undefined if all records of the installation share them.
 *
 * @example numberedBy(key); // 'site_id'
 */
export function numberedBy({ partitionBy }: FieldOf<'sequence'>): string | undefined {
  if (partitionBy === 'installation') return undefined;
  return partitionBy === 'company' ? 'site_id' : partitionBy;
}
