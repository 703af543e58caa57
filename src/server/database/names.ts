import { createHash } from 'node:crypto';
import type { Definition, Field } from '../../engine/definitions/definition';

const LONGEST = 63;

/** The table that keeps a field of many relations: `record_id` and `target_id`. */
export function pairTable(definition: Pick<Definition, 'table'>, field: Pick<Field, 'name'>): string {
  return fit(`${definition.table}__${field.name}`);
}

/** A name for an index or constraint, made from what it is for. */
export function nameFor(...parts: readonly string[]): string {
  return fit(parts.join('__'));
}

/** PostgreSQL would cut longer names without a word, so that two could fall together. */
function fit(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST) return name;
  return `${name.slice(0, LONGEST - 9)}_${createHash('sha1').update(name).digest('hex').slice(0, 8)}`;
}
