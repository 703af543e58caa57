import { sql } from 'kysely';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { rowDefinition } from '../../engine/field-types/row-definition';
import { isRows } from '../../engine/field-types/rows';
import type { Registry } from '../../engine/registry/registry';
import type { Source } from '../../engine/language/source';
import type { PlanStep } from '../../engine/studio/module';
import type { Queries } from '../database/database';
import { createRowQueries, type RowQueries, introspect, type CurrentSchema } from './row-queries';
import { futureTableSql } from './renamed-values';
import { planRenames } from './plan-renames';
import { planSync } from './plan';
import { qualifiedTable, targetSchema } from './target-schema';
import { planPurge } from './purge';
import { planRuleSteps, type RuleStep } from './rule-steps';
import type { SchemaRole } from './schema-role';
import { isForbidden, type Step } from './step';
import { joinPointer } from '../../engine/definitions/problems';
import { diffDefinitions, type DefinitionChange } from '../../engine/studio/diff-definitions';
import { firstOf } from '../../engine/values/lookups';

/** A draft of one definition, with the registries before and after it. */
export interface ModuleDraft {
  readonly name: string;
  readonly role?: SchemaRole;
  readonly previousRegistry: Registry;
  readonly nextRegistry: Registry;
  /** As written; undefined if there was, or will be, none. */
  readonly sources: { readonly before?: Source; readonly after?: Source };
  /** Hidden columns to drop. */
  readonly purge: readonly string[];
}

/** Milliseconds for one count. Plans are computed while somebody types. */
const COUNT_TIMEOUT = 4_000;

/**
 * Plans the publication of a draft, in order: the steps on tables, the rules that stored rows violate, and other
 * changes. Changes nothing. Throws PurgeError for a column that can't be purged.
 */
export async function planModule(queries: Queries, draft: ModuleDraft): Promise<PlanStep[]> {
  const { name, role, previousRegistry, nextRegistry, purge, sources } = draft;
  const rowQueries = createRowQueries(queries, COUNT_TIMEOUT);
  const current = await introspect(queries);
  const plannedSteps = await planSync(nextRegistry, current, rowQueries, { withIds: true, previousRegistry, role });
  const ofOthers = plannedSteps.some(({ resource }) => resource !== name);
  const pendingSteps = ofOthers ? await planSync(previousRegistry, current, rowQueries, { role }) : [];
  const pending = new Set(pendingSteps.map(({ sql }) => sql));
  const purgeSteps = await planPurge(nextRegistry, current, rowQueries, { resource: name, columns: purge });
  const steps = [...plannedSteps.filter((step) => step.resource === name || !pending.has(step.sql)), ...purgeSteps];
  const rules = await planRules(draft, current, rowQueries);
  const planSteps: PlanStep[] = [];
  // One by one: a connection runs one statement at a time.
  for (const step of steps) planSteps.push(await toPlanStep(step, queries, rowQueries));
  return [...planSteps, ...rules.map(({ step }) => step), ...describeOtherChanges(sources, steps, rules)];
}

async function planRules(
  { name, previousRegistry, nextRegistry }: ModuleDraft,
  current: CurrentSchema,
  rowQueries: RowQueries,
): Promise<RuleStep[]> {
  const definition = nextRegistry.get(name);
  if (!definition) return [];
  const targetTables = targetSchema(nextRegistry).tables;
  const { storedTables } = planRenames(targetTables, current);
  const formerDefinition = previousRegistry.get(name) ?? previousRegistry.get(definition.formerName ?? '');
  const steps: RuleStep[] = [];
  for (const table of targetTables) {
    const storedTable = storedTables.get(table.name);
    if (table.definition !== definition || table.pairField || !storedTable) continue;
    const { rowsField } = table;
    const formerTable = rowsField ? formerRows(formerDefinition, rowsField) : formerDefinition;
    const rowsSql = futureTableSql(table, storedTable, formerTable);
    steps.push(
      ...(rowsField
        ? await planRuleSteps(
            formerTable,
            { definition: rowDefinition(definition, rowsField), registry: nextRegistry, rowsSql, rowsField },
            storedTable,
            rowQueries,
          )
        : await planRuleSteps(formerTable, { definition, registry: nextRegistry, rowsSql }, storedTable, rowQueries)),
    );
  }
  return steps;
}

/** The rows of a field as they were before. */
function formerRows(
  previousDefinition: Definition | undefined,
  { name, formerName }: FieldOf<'rows'>,
): Definition | undefined {
  const field = previousDefinition?.fields[name] ?? previousDefinition?.fields[formerName ?? ''];
  return previousDefinition && field && isRows(field) ? rowDefinition(previousDefinition, field) : undefined;
}

/** From this many rows on, a step mentions that others have to wait. */
const LARGE_TABLE_ROWS = 100_000;
const slowKinds: ReadonlySet<string> = new Set(['changeType', 'changeKey', 'createIndex', 'addForeignKey']);

async function toPlanStep(
  { kind, text, sql, destructive, keptColumn, uncounted, rows, records, locks, inBackground, ...step }: Step,
  queries: Queries,
  rowQueries: RowQueries,
): Promise<PlanStep> {
  const [table] = locks;
  const tableRows =
    !inBackground && (slowKinds.has(kind) || step.rewritesTable) && table !== undefined
      ? await estimateRows(queries, table)
      : 0;
  const use = step.rewritesTable ? 'using' : 'writing to';
  const wait =
    tableRows >= LARGE_TABLE_ROWS
      ? `; ${use} its ${tableRows.toLocaleString('en')} rows has to wait until it is done`
      : '';
  const affectedRows =
    destructive && table !== undefined ? await rowQueries.count(`select from ${qualifiedTable(table)}`) : undefined;
  const unknown = uncounted === true || (rows === undefined && kind === 'changeType');
  return {
    kind,
    text: `${text}${unknown ? ' (its values could not be counted in time)' : ''}${wait}.`,
    sql,
    destructive,
    ...(keptColumn !== undefined && { keeps: keptColumn }),
    ...(isForbidden({ kind, destructive }) && { forbidden: true }),
    ...(uncounted && { uncounted }),
    rows: rows ?? (unknown ? tableRows : 0),
    ...(affectedRows !== undefined && { of: affectedRows }),
    ...(records && { records }),
  };
}

/** Describes changes that affect neither tables nor rules. */
function describeOtherChanges(
  { before: previousSource, after: nextSource }: { before?: Source; after?: Source },
  steps: readonly Step[],
  rules: readonly RuleStep[],
): PlanStep[] {
  if (!nextSource) {
    const text = previousSource
      ? `${previousSource.labels.many} are no longer used. Their table and records are kept.`
      : '';
    return previousSource ? [wordsStep(text)] : [];
  }
  const coveredPaths = new Set(rules.flatMap(({ path }) => [path, `added ${path}`]));
  for (const step of steps.filter(({ resource }) => resource === nextSource.name))
    for (const path of pathsCoveredBy(step)) coveredPaths.add(path);
  const changes = diffDefinitions(previousSource, nextSource).filter((change) => !coveredPaths.has(changeKey(change)));
  return changes.map((change) => wordsStep(describeChange(change, nextSource)));
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

function describeChange({ kind, path, subject, text }: DefinitionChange, nextSource: Source): string {
  const isField = /^\/fields\/[^/]+$/.test(path);
  const name = isField
    ? (Object.hasOwn(nextSource.fields, subject) && nextSource.fields[subject]?.label) || subject
    : subject;
  const subjectText = isField ? `Field ${name}` : firstOf(name).toUpperCase() + name.slice(1);
  if (kind === 'removed' && isField) return `${subjectText} is removed; its stored values are kept.`;
  if (text === '') return `${subjectText} ${kind}.`;
  return kind === 'changed' ? `${subjectText}: ${text}.` : `${subjectText} ${kind}: ${text}.`;
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
