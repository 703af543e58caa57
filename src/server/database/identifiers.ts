import { createHash } from 'node:crypto';
import type { Definition, Field } from '../../engine/definitions/definition';

const MAX_IDENTIFIER = 63;

/** The pair table of a many-relation field: `record_id` and `target_id`. */
export function pairTable(definition: Pick<Definition, 'table'>, field: Pick<Field, 'name'>): string {
  return fitIdentifier(`${definition.table}__${field.name}`);
}

/** A name for an index or constraint, made of its parts. */
export function identifierFor(...parts: readonly string[]): string {
  return fitIdentifier(parts.join('__'));
}

/**
 * The name of a table, index or constraint without the number of a shard, with which a distributed database names it in
 * its errors.
 *
 * @example withoutShard('tasks_102366'); // 'tasks'
 */
export function withoutShard(name: string): string {
  return name.replace(/_\d+$/, '');
}

/** PostgreSQL would silently truncate longer names, so that two could become equal. */
function fitIdentifier(name: string): string {
  if (Buffer.byteLength(name) <= MAX_IDENTIFIER) return name;
  return `${name.slice(0, MAX_IDENTIFIER - 9)}_${createHash('sha1').update(name).digest('hex').slice(0, 8)}`;
}

/**
 * A text as a literal of SQL.
 *
 * @example quoteText("It's"); // 'It''s'
 */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
