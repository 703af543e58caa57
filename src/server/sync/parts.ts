import { createHash } from 'node:crypto';
import { nameFor } from '../database/names';

/** An index or a foreign key. Its name ends with a hash of what it says, so that a changed one gets another name. */
export interface WantedPart {
  readonly name: string;
  readonly table: string;
  /** The columns that it needs. */
  readonly columns: readonly string[];
  readonly text: string;
  readonly sql: string;
  /** Selects the `id` of each stored row that stands against it, from what its table (and the target's) will become. */
  readonly against?: (from: string, target: string) => string;
  /** Everything works without it, only slower: on a large table it is built once its column is there for all. */
  readonly helps?: true;
  /** Another table that has a part in it. */
  readonly target?: string;
}

/** Names a part after its table, its columns and what it says; `write` is given the quoted name. */
export function partOf(
  prefix: 'ix' | 'ux' | 'fk',
  table: string,
  columns: readonly string[],
  text: string,
  write: (name: string) => string,
): WantedPart {
  const hash = createHash('sha1').update(write('')).digest('hex').slice(0, 8);
  const name = `${nameFor(prefix, table, ...columns).slice(0, 54)}_${hash}`;
  return { name, table, columns, text, sql: write(quoted(name)) };
}

/** An identifier in double quotes. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A resource's table with its schema. */
export function tableId(table: string): string {
  return `public.${quoted(table)}`;
}
