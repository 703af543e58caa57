import { sql } from 'kysely';
import { decide, isGranted } from '../../engine/access/decide';
import type { Action, Definition, Rule } from '../../engine/definitions/definition';
import { mustBeGranted, present, resolved } from '../access/reach';
import { covers } from '../access/readable';
import type { RequestContext } from '../access/request-context';
import { companyScope, mustOwn } from '../access/scope';
import { predicateToSql } from '../conditions/to-sql';
import type { Row } from '../database/database';
import { NotFound, Refused } from '../http/errors';
import { grantId } from './grants';

/** Why somebody may do something, or may not. */
export interface Explanation {
  readonly allowed: boolean;
  /** A sentence. */
  readonly reason: string;
  /** The grant that decides, where it is held. */
  readonly grant: string | null;
  /** What the rules that decide allow, in words. */
  readonly rule: string | null;
}

/** What is asked about: an action on a module, on one of its records, on one of its fields. */
export interface Question {
  readonly action: Action;
  readonly id?: number;
  readonly field?: string;
}

/** Explains the decision for the context's actor; its steps are those of every request. Throws NotFound. */
export async function explain(
  context: RequestContext,
  definition: Definition,
  question: Question,
): Promise<Explanation> {
  const { actor } = context;
  const { action, id, field } = question;
  const grant = isGranted(actor, definition.name, action) ? grantId(definition.name, action) : null;
  const decision = decide(actor, definition, action);
  if (!decision.allowed) return { allowed: false, reason: decision.reason, grant, rule: null };
  const refusal = refusalOf(() => mustBeGranted(context, definition, action));
  if (refusal) return { allowed: false, reason: refusal, grant, rule: null };

  const holding = id === undefined ? decision.rules : await rulesOn(context, definition, decision.rules, question, id);
  if (typeof holding === 'string') return { allowed: false, reason: holding, grant, rule: words(decision.rules) };
  const rule = words(holding);
  if (field !== undefined && decision.rules.length > 0 && !holding.some((one) => covers(one, field))) {
    const label = definition.fields[field]?.label ?? field;
    return { allowed: false, reason: `${label} is denied: ${rule}.`, grant, rule };
  }
  const by = actor.level === 1 ? 'Level 1 holds every permission' : `The role grants ${grant}`;
  return { allowed: true, reason: rule ? `${by}, ${rule}.` : `${by}.`, grant, rule };
}

/** The rules that hold on a record, or the sentence that says why it is out of reach. */
async function rulesOn(
  context: RequestContext,
  definition: Definition,
  rules: readonly Rule[],
  { action }: Question,
  id: number,
): Promise<readonly Rule[] | string> {
  const { actor, registry, surroundings, program } = context;
  const toSql = (predicate: Parameters<typeof predicateToSql>[0]) =>
    sql<boolean>`coalesce(${predicateToSql(predicate, definition, definition.table, registry)}, false)`;
  const row: Row | undefined = await program.database.kysely
    .selectFrom(definition.table)
    .selectAll()
    .select(toSql(companyScope(actor, definition)).as('is_in_scope'))
    .select(toSql(present(registry, definition)).as('is_present'))
    .select(rules.map((rule, index) => toSql(resolved(rule.where ?? {}, surroundings)).as(`rule_${index}`)))
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row || row.deleted_at) throw new NotFound();
  if (!row.is_in_scope) return 'The record belongs to another company.';
  const writes = action !== 'list' && action !== 'view';
  const foreign = writes ? refusalOf(() => mustOwn(actor, definition, row, action)) : undefined;
  if (foreign) return foreign;
  if (!row.is_present && action === 'edit') return 'The record is in the archive; restore it first.';
  const holding = rules.filter((_, index) => row[`rule_${index}`]);
  return rules.length > 0 && holding.length === 0 ? `Allowed is ${words(rules)}.` : holding;
}

function words(rules: readonly Rule[]): string | null {
  return rules.length === 0 ? null : [...new Set(rules.map(({ reason }) => reason))].join(', or ');
}

function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
