import type { Registry } from '../../engine/definitions/registry';
import type { Source } from '../../engine/definitions/source';
import type { PlanStep } from '../../engine/studio/module';
import type { Queries } from '../database/database';
import { askOf, type Ask } from './ask';
import { futureTable } from './future-table';
import { introspect, type Introspected } from './introspect';
import { planRenames } from './plan-renames';
import { planSync } from './plan';
import { tableId } from './parts';
import { planPurge } from './purge';
import { ruleSteps, type RuleStep } from './rule-steps';
import { rowsOf } from './rows-of';
import type { Step } from './step';
import { wantedSchema } from './wanted';
import { wordSteps } from './word-steps';

/** A draft of one definition, and all definitions without it and with it. */
export interface ModuleDraft {
  readonly name: string;
  readonly before: Registry;
  readonly after: Registry;
  /** As written; undefined where there was, or will be, none. */
  readonly sources: { readonly before?: Source; readonly after?: Source };
  /** Hidden columns of it that somebody wants to be rid of. */
  readonly purge: readonly string[];
}

/** Milliseconds for one count. A plan is looked at while somebody types. */
const PATIENCE = 4_000;

/**
 * What publishing a draft would do, in the order in which it is done: the steps of the tables, the rules that stored
 * rows break, and what only shows. Changes nothing. Throws PurgeError for a column that cannot be purged.
 */
export async function planModule(queries: Queries, draft: ModuleDraft): Promise<PlanStep[]> {
  const { name, before, after, purge, sources } = draft;
  const ask = askOf(queries, PATIENCE);
  const current = await introspect(queries);
  const wanted = await planSync(after, current, ask, { naming: true, before });
  const ofOthers = wanted.some(({ resource }) => resource !== name);
  const waiting = ofOthers ? await planSync(before, current, ask) : [];
  const pending = new Set(waiting.map(({ sql }) => sql));
  const purged = await planPurge(after, current, ask, { resource: name, columns: purge });
  const steps = [...wanted.filter((step) => step.resource === name || !pending.has(step.sql)), ...purged];
  const rules = await rulesOf(draft, current, ask);
  const told: PlanStep[] = [];
  // One by one: a connection answers one statement at a time.
  for (const step of steps) told.push(await toldOf(step, queries, ask));
  return [...told, ...rules.map(({ step }) => step), ...wordSteps(sources, steps, rules)];
}

async function rulesOf({ name, before, after }: ModuleDraft, current: Introspected, ask: Ask): Promise<RuleStep[]> {
  const definition = after.get(name);
  if (!definition) return [];
  const wanted = wantedSchema(after).tables;
  const table = wanted.find((one) => one.definition === definition && !one.pairsOf)!;
  const stored = planRenames(wanted, current).stored.get(table.name);
  if (!stored) return [];
  const former = before.get(name) ?? before.get(definition.was ?? '');
  return ruleSteps(former, { definition, registry: after, from: futureTable(table, stored) }, stored, ask);
}

/** A table with so many rows is told of: others wait while it is changed. */
const MANY = 100_000;
const slow: ReadonlySet<string> = new Set(['changeType', 'createIndex', 'addForeignKey']);

async function toldOf(
  { kind, text, sql, destructive, rows, records, locks, later, ...step }: Step,
  queries: Queries,
  ask: Ask,
): Promise<PlanStep> {
  const [table] = locks;
  const all = !later && (slow.has(kind) || step.rewrites) && table !== undefined ? await rowsOf(queries, table) : 0;
  const use = step.rewrites ? 'using' : 'writing to';
  const wait = all >= MANY ? `; ${use} its ${all.toLocaleString('en')} rows has to wait meanwhile` : '';
  const of = destructive && table !== undefined ? await ask.count(`select from ${tableId(table)}`) : undefined;
  const unknown = rows === undefined && kind === 'changeType';
  return {
    kind,
    text: `${text}${unknown ? ' (its values could not be counted in time)' : ''}${wait}.`,
    sql,
    destructive,
    rows: rows ?? (unknown ? all : 0),
    ...(of !== undefined && { of }),
    ...(records && { records }),
  };
}
