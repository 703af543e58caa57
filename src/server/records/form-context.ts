import { sql, type RawBuilder } from 'kysely';
import { compareValues } from '../../engine/conditions/match-condition';
import type { Predicate } from '../../engine/conditions/grammar';
import type { RelatedTest } from '../../engine/conditions/related-tests';
import { resolveVariables, type EvaluationContext } from '../../engine/conditions/variables';
import type { AnyRelationField, Definition, ResourceRecord } from '../../engine/definitions/definition';
import { isRows } from '../../engine/field-types/rows';
import { isAnyRelation } from '../../engine/field-types/relation';
import { allOf, referenceScope, visibleRowsFilter } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import type { Queries } from '../database/database';
import { predicateToSql } from '../sql/predicate-to-sql';
import { recordCompany } from './references';

/** The values of a record that conditions are evaluated on, and the stored ones: undefined for a new record. */
export interface FormValues {
  readonly values: ResourceRecord;
  readonly before?: ResourceRecord;
}

/** Results of tests, for callers that evaluate them for many records. */
export type KnownResults = Map<string, boolean>;

/**
 * What the conditions of a form are evaluated with, including the results of their tests on related records. One
 * statement for all of them, and none if there are none, or no related records. A record that the caller has just chosen
 * counts only if they may see it: whether it passes must reveal nothing.
 */
export async function formContext(
  context: RequestContext,
  definition: Definition,
  tests: readonly RelatedTest[],
  { values, before }: FormValues,
  queries: Queries,
  known: KnownResults = new Map(),
): Promise<EvaluationContext> {
  const evaluationContext = { ...context.evaluationContext, ...(before && { record: before }) };
  // Rows are among the values: the conditions find them there.
  const others = tests.filter(({ field }) => !isOnRows(definition, field));
  if (others.length === 0) return evaluationContext;
  const resolved = others.map((test) => resolveTest(context, definition, test, { values, before }, evaluationContext));
  const open = new Map(resolved.filter(({ key }) => !known.has(key)).map((one) => [one.key, one]));
  if (open.size > 0) {
    const asked = [...open.values()];
    const columns = asked.map(({ build }, index) => sql<boolean>`(${build()}) is true as ${sql.id(`t${index}`)}`);
    const { rows } = await sql<Record<string, boolean>>`select ${sql.join(columns)}`.execute(queries);
    asked.forEach(({ key }, index) => known.set(key, rows[0]![`t${index}`]!));
  }
  const related = new Map(resolved.map(({ key }, index): [Predicate, boolean] => [others[index]!, known.get(key)!]));
  return { ...evaluationContext, related };
}

function isOnRows({ fields }: Definition, name: string): boolean {
  const field = fields[name];
  return field !== undefined && isRows(field);
}

interface ResolvedTest {
  /** Tests with equal keys have the same result. */
  readonly key: string;
  build(): RawBuilder<unknown>;
}

function resolveTest(
  context: RequestContext,
  definition: Definition,
  test: RelatedTest,
  { values, before }: FormValues,
  evaluationContext: EvaluationContext,
): ResolvedTest {
  const field = definition.fields[test.field];
  const ids = field && isAnyRelation(field) ? idsIn(values[field.name]) : [];
  if (ids.length === 0) return { key: 'none', build: () => sql`false` };
  const { registry } = context;
  const target = registry.getOrThrow((field as AnyRelationField).to);
  const around = { form: values, record: values, ...evaluationContext };
  const isStored = before !== undefined && String(idsIn(before[test.field])) === String(ids);
  const where = allOf([
    resolveVariables(test.of, around, compareValues),
    referenceScope(recordCompany(definition, { site_id: context.actor.site_id, ...values }), target),
    ...(isStored ? [] : [visibleRowsFilter(context, target)]),
  ]);
  return {
    key: `${target.name} ${String(ids)} ${JSON.stringify(where)}`,
    build: () => {
      const holds = predicateToSql(where, target, 'chosen', registry, evaluationContext);
      return sql`exists (select from ${sql.id('public', target.table)} chosen
        where chosen.id = any(${ids}::integer[]) and ${holds})`;
    },
  };
}

/** The ids in a value of a relation; anything else refers to nothing, and is refused elsewhere. */
function idsIn(value: unknown): readonly number[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((id): id is number => Number.isInteger(id) && Math.abs(id as number) <= 2_147_483_647);
}
