import { sql, type RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Definition } from '../../engine/definitions/definition';
import type { Row } from '../database/database';
import type { Statement } from '../database/statements';
import { Invalid } from '../errors/errors';
import { Placeholder } from './statement-cache';
import { failedReferences, type ReferenceChecks } from './references';

const CHECKS_MARKER = '/* checks */';
/** Names contain a space, so that no field can have them. */
const checkColumn = (index: number) => `check ${index}`;
/** The id of the written row; null if nothing was written. */
export const writtenIdColumn = 'written id';

/** Identifies the shape of the checks, for statement cache keys. */
export function guardKey(checks: ReferenceChecks | undefined): string {
  return checks ? `${checks.fields.length}/${checks.statement.parameters.length}` : '';
}

/** The start of a statement that only writes if all checks hold: `with checked as (…), `. */
export function guardSql(checks: ReferenceChecks | undefined): RawBuilder<unknown> {
  if (!checks) return sql`with `;
  const names = sql.join(checks.fields.map((_, index) => sql.id(checkColumn(index))));
  // The checks are compiled separately and inserted by `withChecks`: they depend on the record's values, the rest does
  // not.
  const slots = checks.statement.parameters.map((_, index) => sql`${new Placeholder(checkColumn(index))}`);
  const places = slots.length > 0 ? sql.join(slots) : sql``;
  return sql`with checked (${names}) as materialized (${sql.raw(CHECKS_MARKER)}${places}${sql.raw(CHECKS_MARKER)}), `;
}

/** True if all checks hold. `checked` must be in scope. */
export function allChecksHold(checks: ReferenceChecks): RawBuilder<unknown> {
  return sql.join(
    checks.fields.map((_, index) => sql`${sql.id('checked', checkColumn(index))}`),
    sql` and `,
  );
}

/** The columns that `wasWritten` reads, and their source. `written` is the written row, as `t`. */
export function outcomeSql(checks: ReferenceChecks | undefined, written: RawBuilder<unknown>) {
  return checks
    ? {
        columns: sql`, checked.*, t.id as ${sql.id(writtenIdColumn)}`,
        from: sql`checked left join ${written} t on true`,
      }
    : { columns: sql`, t.id as ${sql.id(writtenIdColumn)}`, from: sql`${written} t` };
}

const textsPerPlan = 100;
/** Statement texts by those of their checks: reusing one string object makes later lookups cheap. */
const cachedTexts = new WeakMap<Statement, LRUCache<string, string>>();

/** Inserts the checks into a statement. */
export function withChecks(plan: Statement, checks: ReferenceChecks | undefined): Statement {
  if (!checks) return plan;
  const { statement } = checks;
  let known = cachedTexts.get(plan);
  if (!known) cachedTexts.set(plan, (known = new LRUCache({ max: textsPerPlan })));
  let text = known.get(statement.sql);
  if (text === undefined) {
    const start = plan.sql.indexOf(CHECKS_MARKER);
    const end = plan.sql.indexOf(CHECKS_MARKER, start + CHECKS_MARKER.length) + CHECKS_MARKER.length;
    text = `${plan.sql.slice(0, start)}${statement.sql}${plan.sql.slice(end)}`;
    known.set(statement.sql, text);
  }
  return { sql: text, parameters: [...statement.parameters, ...plan.parameters.slice(statement.parameters.length)] };
}

/** Whether a row was written, according to the row that its statement returned. Throws Invalid if a check failed. */
export function wasWritten(checks: ReferenceChecks | undefined, row: Row | undefined): boolean {
  if (!row) return false;
  if (checks) {
    const found = Object.fromEntries(checks.fields.map(({ name }, index) => [name, row[checkColumn(index)]]));
    const errors = failedReferences(checks, found);
    if (Object.keys(errors).length > 0) throw new Invalid(errors);
  }
  return row[writtenIdColumn] !== null;
}

const selfReads = new LRUCache<string, ReadonlySet<string> | 'any'>({ max: 500 });

/**
 * Whether a statement that writes some columns of a table also reads one of them from other rows, as nested embeds may:
 * it would read the old values.
 */
export function readsItself({ table }: Definition, { sql: text }: Statement, names: ReadonlySet<string>): boolean {
  const key = `${table} ${text}`;
  let read = selfReads.get(key);
  if (!read) selfReads.set(key, (read = columnsRead(table, text)));
  return read === 'any' || [...names].some((name) => read.has(name));
}

/** The columns that a statement reads of a table under any alias; `any` if that can't be determined. */
function columnsRead(table: string, text: string): ReadonlySet<string> | 'any' {
  const own = `"public"."${table}"`;
  const aliases = new Set<string>();
  for (let at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + 1)) {
    const [, quoted, plain] = /^ (?:"([^"]+)"|(\w+))/.exec(text.slice(at + own.length, at + own.length + 70)) ?? [];
    const alias = quoted ?? plain;
    if (alias === undefined) return 'any';
    // The written row itself.
    if (!/\bupdate $/.test(text.slice(0, at))) aliases.add(alias);
  }
  const columns = Array.from(text.matchAll(/(?:"(\w+)"|\b(\w+))\.(?:"([^"]+)"|(\w+))/g));
  return new Set(
    columns.flatMap(([, quoted, plain, name, bare]) => (aliases.has((quoted ?? plain)!) ? [(name ?? bare)!] : [])),
  );
}
