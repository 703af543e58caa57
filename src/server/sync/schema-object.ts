import { createHash } from 'node:crypto';
import { identifierFor } from '../database/identifiers';

/** An index or a foreign key. Its name ends with a hash of its definition, so that a changed one gets another name. */
export interface SchemaObject {
  readonly name: string;
  readonly table: string;
  /** The columns that it uses. */
  readonly columns: readonly string[];
  readonly text: string;
  readonly sql: string;
  /** Selects the `id` of each stored row that violates it, given the future rows of its table (and of the target). */
  readonly violations?: (from: string, target: string) => string;
  /**
   * Optional: everything works without it, only slower. On a large table it is built in the background, once its
   * columns exist.
   */
  readonly isOptional?: true;
  /** The table that a foreign key refers to. */
  readonly target?: string;
}

/** Creates an index or foreign key, named after its table, columns and definition; `write` gets the quoted name. */
export function createSchemaObject(
  prefix: 'ix' | 'ux' | 'fk',
  table: string,
  columns: readonly string[],
  text: string,
  write: (name: string) => string,
): SchemaObject {
  const hash = createHash('sha1').update(write('')).digest('hex').slice(0, 8);
  const name = `${identifierFor(prefix, table, ...columns).slice(0, 54)}_${hash}`;
  return { name, table, columns, text, sql: write(quoteIdentifier(name)) };
}

/** Quotes an identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table's quoted name with its schema. */
export function qualifiedTable(table: string): string {
  return `public.${quoteIdentifier(table)}`;
}
