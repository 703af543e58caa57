import { sql } from 'kysely';
import type { Action, ResourceRecord, Rule } from '../../../engine/definitions/definition';
import { rulesFor } from '../../../engine/access/access-decision';
import { archiveFilter, companyScope, assertOwned, ruleCondition } from '../../access/access-filter';
import type { RecordScope } from '../../access/record-scope';
import { predicateToSql } from '../../sql/predicate-to-sql';
import type { Row } from '../../database/database';
import { NotFound, Forbidden } from '../../errors/errors';
import type { Question } from './explanation';

/** How a record matches a request. */
export interface RecordCheck {
  /** Why the record is outside the actor's company. */
  readonly foreign?: string;
  readonly ownership: string;
  /** The record as it is stored. */
  readonly stored: ResourceRecord;
  /** The rules that hide the record. */
  readonly failing?: readonly Rule[];
  readonly holding: readonly Rule[];
  /** Why an archived record rejects the action. */
  readonly archived?: string;
}

const archivedMessage = 'The record is in the archive; restore it first.';
/** Actions that archived records reject: they can only be read. */
const archiveRefusals: Partial<Record<Action, string>> = {
  list: 'The record is in the archive, which the list leaves out.',
  edit: archivedMessage,
  delete: archivedMessage,
};

/** Checks a record as a request would: company, rules of viewing, rules of the action, archive. */
export async function checkRecord(
  { context, definition }: RecordScope,
  { action }: Question,
  rules: readonly Rule[],
  id: number,
): Promise<RecordCheck> {
  const { actor, registry, evaluationContext, program } = context;
  const writes = action !== 'list' && action !== 'view';
  const viewRules = writes ? rulesFor(actor, definition, 'view') : [];
  const toSql = (predicate: Parameters<typeof predicateToSql>[0]) =>
    sql<boolean>`coalesce(${predicateToSql(predicate, definition, definition.table, registry, evaluationContext)}, false)`;
  const tests = (candidates: readonly Rule[], name: string) =>
    candidates.map((rule, index) => toSql(ruleCondition(context, definition, rule)).as(`${name}_${index}`));
  const row: Row | undefined = await program.database.kysely
    .withSchema('public')
    .selectFrom(definition.table)
    .selectAll()
    .select(toSql(companyScope(actor, definition)).as('is_in_scope'))
    .select(toSql(archiveFilter(registry, definition)).as('is_present'))
    .select([...tests(rules, 'rule'), ...tests(viewRules, 'seeing')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || row.deleted_at) throw new NotFound();
  const ownership =
    row.site_id === null ? 'The record belongs to the installation.' : 'The record is of their company.';
  const base = { ownership, stored: row, holding: rules };
  if (!row.is_in_scope) return { ...base, foreign: 'The record belongs to another company.' };
  const satisfiedRules = (candidates: readonly Rule[], name: string) =>
    candidates.filter((_, index) => row[`${name}_${index}`]);
  if (viewRules.length > 0 && satisfiedRules(viewRules, 'seeing').length === 0) return { ...base, failing: viewRules };
  const foreign = writes ? catchRefusal(() => assertOwned(actor, definition, row, action)) : undefined;
  if (foreign) return { ...base, foreign };
  const satisfied = satisfiedRules(rules, 'rule');
  if (rules.length > 0 && satisfied.length === 0) return { ...base, failing: rules };
  const archived = row.is_present ? undefined : archiveRefusals[action];
  return { ...base, holding: satisfied, archived };
}

/** The message of a failed check; undefined if it passes. */
export function catchRefusal(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Forbidden) return error.message;
    throw error;
  }
}
