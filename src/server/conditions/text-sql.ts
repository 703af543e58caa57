import { sql, type RawBuilder } from 'kysely';

/** Small letters of every script, whatever the database's own locale is. */
export function lowered(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lower((${text}) collate "und-x-icu")`;
}

/** A literal in the text of a statement; what an index is made of can hold no parameters. */
export function literal(text: string): RawBuilder<unknown> {
  if (!/[\\\n]/.test(text)) return sql.raw(`'${text.replaceAll("'", "''")}'`);
  return sql.raw(`E'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`);
}
