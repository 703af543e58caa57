import type { Registry } from '../../engine/definitions/registry';
import type { Source } from '../../engine/definitions/source';
import type { PlanStep } from '../../engine/studio/module';
import type { Queries } from '../database/database';
import { createRowQueries, type RowQueries } from './row-queries';
import { futureTableSql } from './future-table';
import { introspect, type CurrentSchema } from './introspect';
import { planRenames } from './plan-renames';
import { planSync } from './plan';
import { qualifiedTable } from './schema-object';
import { planPurge } from './purge';
import { planRuleSteps, type RuleStep } from './rule-steps';
import { estimateRows } from './estimate-rows';
import type { Step } from './step';
import { targetSchema } from './target-schema';
import { describeOtherChanges } from './other-changes';

/** A draft of one definition, with the registries before and after it. */
export interface ModuleDraft {
  readonly name: string;
  readonly before: Registry;
  readonly after: Registry;
  /** As written; undefined if there was, or will be, none. */
  readonly sources: { readonly before?: Source; readonly after?: Source };
  /** Hidden columns to drop. */
  readonly purge: readonly string[];
}

/** Milliseconds for one count. Plans are computed while somebody types. */
const COUNT_TIMEOUT = 4_000;

/**
 * What publishing a draft would do, in order: the steps on tables, the rules that stored rows violate, and other
 * changes. Changes nothing. Throws PurgeError for a column that can't be purged.
 */
export async function planModule(queries: Queries, draft: ModuleDraft): Promise<PlanStep[]> {
  const { name, before, after, purge, sources } = draft;
  const rowQueries = createRowQueries(queries, COUNT_TIMEOUT);
  const current = await introspect(queries);
  const plannedSteps = await planSync(after, current, rowQueries, { naming: true, before });
  const ofOthers = plannedSteps.some(({ resource }) => resource !== name);
  const waiting = ofOthers ? await planSync(before, current, rowQueries) : [];
  const pending = new Set(waiting.map(({ sql }) => sql));
  const purged = await planPurge(after, current, rowQueries, { resource: name, columns: purge });
  const steps = [...plannedSteps.filter((step) => step.resource === name || !pending.has(step.sql)), ...purged];
  const rules = await planRules(draft, current, rowQueries);
  const planSteps: PlanStep[] = [];
  // One by one: a connection runs one statement at a time.
  for (const step of steps) planSteps.push(await toPlanStep(step, queries, rowQueries));
  return [...planSteps, ...rules.map(({ step }) => step), ...describeOtherChanges(sources, steps, rules)];
}

async function planRules(
  { name, before, after }: ModuleDraft,
  current: CurrentSchema,
  rowQueries: RowQueries,
): Promise<RuleStep[]> {
  const definition = after.get(name);
  if (!definition) return [];
  const targetTables = targetSchema(after).tables;
  const table = targetTables.find((one) => one.definition === definition && !one.pairField)!;
  const stored = planRenames(targetTables, current).stored.get(table.name);
  if (!stored) return [];
  const former = before.get(name) ?? before.get(definition.was ?? '');
  return planRuleSteps(
    former,
    { definition, registry: after, from: futureTableSql(table, stored) },
    stored,
    rowQueries,
  );
}

/** From this many rows on, a step mentions that others have to wait. */
const LARGE_TABLE_ROWS = 100_000;
const slowKinds: ReadonlySet<string> = new Set(['changeType', 'createIndex', 'addForeignKey']);

async function toPlanStep(
  { kind, text, sql, destructive, rows, records, locks, later, ...step }: Step,
  queries: Queries,
  rowQueries: RowQueries,
): Promise<PlanStep> {
  const [table] = locks;
  const all =
    !later && (slowKinds.has(kind) || step.rewritesTable) && table !== undefined
      ? await estimateRows(queries, table)
      : 0;
  const use = step.rewritesTable ? 'using' : 'writing to';
  const wait =
    all >= LARGE_TABLE_ROWS ? `; ${use} its ${all.toLocaleString('en')} rows has to wait until it is done` : '';
  const of =
    destructive && table !== undefined ? await rowQueries.count(`select from ${qualifiedTable(table)}`) : undefined;
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
