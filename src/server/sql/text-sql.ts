import { sql, type RawBuilder } from 'kysely';

/** Lower case in every script, whatever the database's locale is. */
export function lowerSql(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lower((${text}) collate "und-x-icu")`;
}

/** A string literal, for index definitions, which can't contain parameters. */
export function literal(text: string): RawBuilder<unknown> {
  if (!/[\\\n]/.test(text)) return sql.raw(`'${text.replaceAll("'", "''")}'`);
  return sql.raw(`E'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`);
}
