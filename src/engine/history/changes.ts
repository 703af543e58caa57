import type { Definition, Field, ResourceRecord } from '../definitions/definition';
import { idOf } from '../conditions/variables';
import { typeOf } from '../field-types';
import { plainText } from './plain-text';

/** A change of a record as `GET r/{id}/history` answers it. */
export interface HistoryLine {
  readonly old_values: ResourceRecord | null;
  readonly new_values: ResourceRecord | null;
  readonly event: string;
  readonly user: { readonly id: number; readonly name: string } | null;
  readonly created_at: string;
}

/** One field of a change. */
export interface FieldChange {
  readonly field: Field;
  readonly old: unknown;
  readonly new: unknown;
}

/** The names of related records: resource → id → title. */
export type Names = ReadonlyMap<string, ReadonlyMap<number, string>>;

const silent = new Set(['updated_at', 'updated_by', 'created_at', 'created_by', 'id']);

/** The fields that a change touched and that mean something to its reader, in the definition's order. */
export function changesOf(definition: Definition, line: HistoryLine): FieldChange[] {
  const before = line.old_values ?? {};
  const after = line.new_values ?? {};
  return Object.values(definition.fields)
    .filter(({ name }) => !silent.has(name) && (name in before || name in after))
    .map((field) => ({ field, old: before[field.name] ?? null, new: after[field.name] ?? null }))
    .filter((change) => !isNothing(change.old) || !isNothing(change.new));
}

/** The ids of related records that some changes name, by the field that names them. */
export function namedIds(definition: Definition, lines: readonly HistoryLine[]): Map<Field, number[]> {
  const found = new Map<Field, Set<number>>();
  for (const line of lines) {
    for (const { field, ...values } of changesOf(definition, line)) {
      if (field.to === undefined) continue;
      const ids = found.get(field) ?? new Set<number>();
      for (const value of [values.old, values.new].flat()) {
        const id = idOf(value);
        if (typeof id === 'number') ids.add(id);
      }
      found.set(field, ids);
    }
  }
  return new Map([...found].map(([field, ids]) => [field, [...ids].sort((one, other) => one - other)]));
}

/** A field's value in words: names instead of ids, text without markup; empty for nothing. */
export function valueInWords(field: Field, value: unknown, names: Names): string {
  if (isNothing(value)) return '';
  if (field.to !== undefined) {
    return [value]
      .flat()
      .map((one) => {
        const id = idOf(one);
        return names.get(field.to!)?.get(Number(id)) ?? `#${String(id)}`;
      })
      .join(', ');
  }
  if (field.type === 'richText') return plainText(String(value));
  if (typeof value === 'object' && value !== null && 'name' in value) return String(value.name);
  return typeOf(field).toText(value, field);
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
