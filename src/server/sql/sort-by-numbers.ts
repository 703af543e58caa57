import { sql, type RawBuilder } from 'kysely';

/**
 * Text whose numbers are padded with zeros, so that `TC-9` sorts before `TC-10`. Immutable: indexes can have it. Numbers
 * of more than ten digits, which no sequence reaches, sort by their last ten.
 */
export function paddedNumbersSql(text: string): string {
  return `${padding.before}${text}${padding.after}`;
}

/** The same of an expression. */
export function paddedNumbers(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${sql.raw(padding.before)}${text}${sql.raw(padding.after)}`;
}

const padding = {
  before: 'regexp_replace(regexp_replace(',
  after: String.raw`, '\d+', '000000000\&', 'g'), '\d*(\d{10})', '\1', 'g')`,
};
