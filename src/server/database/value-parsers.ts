import pg from 'pg';

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: Number,
  // PostgreSQL writes them as those of JSON, in braces.
  [INT8_ARRAY]: (text) => JSON.parse(`[${text.slice(1, -1).replaceAll('NULL', 'null')}]`) as unknown,
  [NUMERIC]: Number,
  [DATE]: (text) => text,
  [TIMESTAMPTZ]: readInstant,
};

/** How PostgreSQL's values are parsed: numbers as numbers, dates as `YYYY-MM-DD`, instants as ISO 8601 in UTC. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** `2026-11-21 11:00:00.5+00`, as the server writes it in UTC, becomes `2026-11-21T11:00:00.500Z`. */
function readInstant(text: string): string {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/.test(text)) return new Date(text).toISOString();
  const milliseconds = text[19] === '.' ? text.slice(20, -3).padEnd(3, '0') : '000';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}
