import { sql } from 'kysely';
import { fieldTypeOf } from '../../engine/field-types';
import { ownColumns } from '../../engine/field-types/rows';
import { rowsFields } from '../../engine/field-types/row-definition';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { Queries } from '../../server/database/database';
import { expandedRowsSql } from '../../server/sql/expanded-rows';
import { testCases } from './definitions';

/** A test case as a run keeps it: later changes of the case do not reach the run. */
export interface PinnedCase {
  readonly id: number;
  readonly name: string;
  readonly project_id: number;
  readonly project_module: number | null;
  /** The content that testers read, by field; steps are a list. */
  readonly content: Readonly<Record<string, unknown>>;
}

/** The fields that a tester follows. Result, status and assignee are of the case itself, not of what is tested. */
const textFields = [
  'name',
  'description',
  'pre_conditions',
  'test_data',
  'steps_to_reproduce',
  'expected_result',
] as const;

/**
 * Test cases as they are now, in the order of the ids. Two statements for any number of them.
 *
 * @returns those that exist; the caller has checked that they may be seen.
 */
export async function pinCases(registry: Registry, ids: readonly number[], queries: Queries): Promise<PinnedCase[]> {
  const definition = registry.getOrThrow(testCases);
  const presentFields = textFields.filter((name) => name in definition.fields);
  const columns = ['id', 'project_id', 'project_module', ...presentFields].map((name) => sql.id('t', name));
  const { rows } = await sql<ResourceRecord & { id: number }>`select ${sql.join(columns)}
    from ${sql.id('public', definition.table)} t where t.id = any(${ids}::bigint[])`.execute(queries);
  const steps = await stepsOf(registry, ids, queries);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const texts = presentFields.flatMap((name) => (row[name] === null ? [] : [[name, row[name]] as const]));
    const content = { ...Object.fromEntries(texts), ...(steps.has(id) && { steps: steps.get(id) }) };
    const { name, project_id, project_module } = row as unknown as PinnedCase;
    return [{ id, name, project_id, project_module, content }];
  });
}

/**
 * The steps of test cases by their id, each with its columns that have a value; shared ones as they are now. One
 * statement for any number of them.
 *
 * @example const steps = await stepsOf(registry, [7, 9], queries); // steps.get(7) is [{ action: 'Open the page' }]
 */
export async function stepsOf(
  registry: Registry,
  ids: readonly number[],
  queries: Queries,
): Promise<ReadonlyMap<number, readonly ResourceRecord[]>> {
  const definition = registry.getOrThrow(testCases);
  const field = rowsFields(definition).find(({ name }) => name === 'steps');
  const steps = new Map<number, ResourceRecord[]>();
  if (!field) return steps;
  const columns = ownColumns(field).filter((column) => fieldTypeOf(column).column !== null);
  const { from: source, cell, order } = expandedRowsSql(registry, definition, field);
  const { rows } = await sql<ResourceRecord & { parent_id: number }>`
    select t.parent_id, ${sql.join(columns.map(({ name }) => sql`${cell(name)} as ${sql.id(name)}`))}
    from ${source} where t.parent_id = any(${ids}::bigint[])
      and t.site_id in (select c.site_id from public.test_cases c where c.id = any(${ids}::bigint[])) order by t.parent_id, ${order}`.execute(
    queries,
  );
  for (const { parent_id: parent, ...cells } of rows) {
    const filledCells = Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== null));
    if (Object.keys(filledCells).length === 0) continue;
    steps.set(parent, [...(steps.get(parent) ?? []), filledCells]);
  }
  return steps;
}
