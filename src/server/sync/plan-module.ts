import { sql } from 'kysely';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { rowDefinition } from '../../engine/definitions/row-definition';
import { isRows } from '../../engine/field-types/rows';
import type { Registry } from '../../engine/definitions/registry';
import type { Source } from '../../engine/definitions/source';
import type { PlanStep } from '../../engine/studio/module';
import type { Queries } from '../database/database';
import { createRowQueries, type RowQueries } from './row-queries';
import { futureTableSql } from './future-table';
import { introspect, type CurrentSchema } from './introspect';
import { planRenames } from './plan-renames';
import { planSync } from './plan';
import { qualifiedTable, targetSchema } from './target-schema';
import { planPurge } from './purge';
import { planRuleSteps, type RuleStep } from './rule-steps';
import type { SchemaRole } from './schema-role';
import { isForbidden, type Step } from './step';
import { joinPointer } from '../../engine/definitions/problems';
import { diffDefinitions, type DefinitionChange } from '../../engine/studio/diff-definitions';

/** A draft of one definition, with the registries before and after it. */
export interface ModuleDraft {
  readonly name: string;
  readonly role?: SchemaRole;
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
  const { name, role, before, after, purge, sources } = draft;
  const rowQueries = createRowQueries(queries, COUNT_TIMEOUT);
  const current = await introspect(queries);
  const plannedSteps = await planSync(after, current, rowQueries, { naming: true, before, role });
  const ofOthers = plannedSteps.some(({ resource }) => resource !== name);
  const waiting = ofOthers ? await planSync(before, current, rowQueries, { role }) : [];
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
  const { stored: storedTables } = planRenames(targetTables, current);
  const former = before.get(name) ?? before.get(definition.formerName ?? '');
  const steps: RuleStep[] = [];
  for (const table of targetTables) {
    const stored = storedTables.get(table.name);
    if (table.definition !== definition || table.pairField || !stored) continue;
    const { rowsField } = table;
    const formerTable = rowsField ? formerRows(former, rowsField) : former;
    const from = futureTableSql(table, stored, formerTable);
    steps.push(
      ...(rowsField
        ? await planRuleSteps(
            formerTable,
            { definition: rowDefinition(definition, rowsField), registry: after, from, rowsField },
            stored,
            rowQueries,
          )
        : await planRuleSteps(formerTable, { definition, registry: after, from }, stored, rowQueries)),
    );
  }
  return steps;
}

/** The rows of a field as they were before. */
function formerRows(before: Definition | undefined, { name, formerName }: FieldOf<'rows'>): Definition | undefined {
  const field = before?.fields[name] ?? before?.fields[formerName ?? ''];
  return before && field && isRows(field) ? rowDefinition(before, field) : undefined;
}

/** From this many rows on, a step mentions that others have to wait. */
const LARGE_TABLE_ROWS = 100_000;
const slowKinds: ReadonlySet<string> = new Set(['changeType', 'createIndex', 'addForeignKey']);

async function toPlanStep(
  { kind, text, sql, destructive, keeps, uncounted, rows, records, locks, inBackground, ...step }: Step,
  queries: Queries,
  rowQueries: RowQueries,
): Promise<PlanStep> {
  const [table] = locks;
  const all =
    !inBackground && (slowKinds.has(kind) || step.rewritesTable) && table !== undefined
      ? await estimateRows(queries, table)
      : 0;
  const use = step.rewritesTable ? 'using' : 'writing to';
  const wait =
    all >= LARGE_TABLE_ROWS ? `; ${use} its ${all.toLocaleString('en')} rows has to wait until it is done` : '';
  const of =
    destructive && table !== undefined ? await rowQueries.count(`select from ${qualifiedTable(table)}`) : undefined;
  const unknown = uncounted === true || (rows === undefined && kind === 'changeType');
  return {
    kind,
    text: `${text}${unknown ? ' (its values could not be counted in time)' : ''}${wait}.`,
    sql,
    destructive,
    ...(keeps !== undefined && { keeps }),
    ...(isForbidden({ kind, destructive }) && { forbidden: true }),
    ...(uncounted && { uncounted }),
    rows: rows ?? (unknown ? all : 0),
    ...(of !== undefined && { of }),
    ...(records && { records }),
  };
}

/** Describes changes that affect neither tables nor rules. */
function describeOtherChanges(
  { before, after }: { before?: Source; after?: Source },
  steps: readonly Step[],
  rules: readonly RuleStep[],
): PlanStep[] {
  if (!after) {
    const text = before ? `${before.labels.many} are no longer used. Their table and records are kept.` : '';
    return before ? [wordsStep(text)] : [];
  }
  const coveredPaths = new Set(rules.flatMap(({ path }) => [path, `added ${path}`]));
  for (const step of steps.filter(({ resource }) => resource === after.name))
    for (const path of pathsCoveredBy(step)) coveredPaths.add(path);
  const changes = diffDefinitions(before, after).filter((change) => !coveredPaths.has(changeKey(change)));
  return changes.map((change) => wordsStep(describeChange(change, after)));
}

/** The paths that a table step already covers. */
function pathsCoveredBy({ kind, columns, rowsField }: Step): string[] {
  // The table of new rows is only a part of what its field means.
  if (rowsField !== undefined && kind === 'createTable') return [];
  const parent = rowsField === undefined ? '/fields' : joinPointer('/fields', rowsField, 'fields');
  const fields = columns.map((name) => joinPointer(parent, name));
  if (kind === 'createTable' || kind === 'addColumn') return fields.map((path) => `added ${path}`);
  if (kind === 'renameColumn') return fields.map((path) => `renamed ${path}`);
  // A field that is removed and purged leaves nothing behind.
  if (kind === 'dropColumn' || kind === 'dropTable') return fields;
  if (kind === 'changeType') return fields.map((path) => joinPointer(path, 'type'));
  return [];
}

function changeKey({ kind, path, text }: DefinitionChange): string {
  if (kind === 'added') return `added ${path}`;
  return text.startsWith('renamed from') ? `renamed ${path}` : path;
}

function describeChange({ kind, path, subject, text }: DefinitionChange, after: Source): string {
  const isField = /^\/fields\/[^/]+$/.test(path);
  const name = isField ? (Object.hasOwn(after.fields, subject) && after.fields[subject]?.label) || subject : subject;
  const about = isField ? `Field ${name}` : name[0]!.toUpperCase() + name.slice(1);
  if (kind === 'removed' && isField) return `${about} is removed; its stored values are kept.`;
  if (text === '') return `${about} ${kind}.`;
  return kind === 'changed' ? `${about}: ${text}.` : `${about} ${kind}: ${text}.`;
}

function wordsStep(text: string): PlanStep {
  return { kind: 'words', text, sql: '', destructive: false, rows: 0 };
}

/** PostgreSQL's estimate of the rows of a table in schema `public`; 0 if there is none. */
async function estimateRows(queries: Queries, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select greatest(reltuples, 0)::bigint as rows from pg_class
    where relnamespace = 'public'::regnamespace and relname = ${table}`.execute(queries);
  return rows[0]?.rows ?? 0;
}
