import { queryOptions, useQueries } from '@tanstack/react-query';
import type { Predicate } from '../../engine/conditions/grammar';
import { evaluateRelatedTest } from '../../engine/conditions/may-match';
import { formRelatedTests, relatedTestsIn, type RelatedTest } from '../../engine/conditions/related-tests';
import { unwrapId, type EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { useDefinitions } from '../data/DefinitionsContext';
import { fetchApi } from '../session/api';
import { useApi, type ApiClient } from '../session/apiClient';

/** A form that is filled in asks about the same few records again and again. */
const staleTime = 30_000;

/**
 * The results of a form's tests on related records, for its values as they are now: it loads those of their fields that
 * the tests need. Values that the user may not read stay unknown, and are left to the server.
 */
export function useRelatedTests(
  definition: Definition,
  values: ResourceRecord,
  evaluationContext: EvaluationContext,
): ReadonlyMap<Predicate, boolean> {
  const { registry } = useDefinitions();
  const client = useApi();
  const tests = formRelatedTests(definition);
  // The form of a request contains only some of the fields of its record.
  const relations = registry.get(definition.name)?.fields ?? definition.fields;
  const testedValues = { ...evaluationContext.record, ...values };
  const neededTests = tests.flatMap((test): Need[] => {
    const { to: targetName } = relations[test.field] ?? definition.fields[test.field] ?? {};
    return targetName === undefined ? [] : [{ resource: targetName, ids: idsIn(testedValues[test.field]), test }];
  });
  const roots = rootsOf(neededTests);
  const rootQueries = useQueries({
    queries: roots.map(({ resource, id, predicates }) =>
      recordQuery(registry, client, resource, id, { kind: 'all', of: predicates }),
    ),
  });
  const relatedRecords = new Map(roots.map(({ key }, index) => [key, rootQueries[index]?.data]));
  const results = new Map<Predicate, boolean>();
  for (const { test, resource, ids } of neededTests) {
    const records = ids.map((id) => relatedRecords.get(keyOf(resource, id)) ?? { id });
    const result = evaluateRelatedTest(test, records, { form: values, ...evaluationContext });
    if (result !== undefined) results.set(test, result);
  }
  return results;
}

/** A test, and the records that it tests. */
interface Need {
  readonly resource: string;
  readonly ids: readonly number[];
  readonly test: RelatedTest;
}

const keyOf = (resource: string, id: number) => `${resource}/${id}`;

function idsIn(value: unknown): readonly number[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map(unwrapId).filter((id): id is number => typeof id === 'number');
}

/** A record that tests start from, with what they test of it. */
interface Root {
  readonly key: string;
  readonly resource: string;
  readonly id: number;
  readonly predicates: readonly Predicate[];
}

/** All tests on a resource are asked of each of its records, so that a record is not loaded again for another field. */
function rootsOf(neededTests: readonly Need[]): readonly Root[] {
  const roots = new Map<string, Root>();
  for (const { resource, ids } of neededTests) {
    const predicates = neededTests.filter((need) => need.resource === resource).map(({ test }) => test.of);
    for (const id of ids) roots.set(keyOf(resource, id), { key: keyOf(resource, id), resource, id, predicates });
  }
  return [...roots.values()];
}

/**
 * Loads the fields of a record that a predicate reads, with the records that it refers to in place of their ids. Fails if
 * the record itself cannot be read; what it refers to may stay unknown.
 */
function recordQuery(registry: Registry, client: ApiClient, resource: string, id: number, predicate: Predicate) {
  const fields = registry.get(resource)?.fields ?? {};
  const names = fieldsRead(predicate).filter((name) => Object.hasOwn(fields, name));
  const query = ['id', ...new Set(names)].join(',');
  return queryOptions({
    // The name of the resource comes first: live updates find the query by it.
    queryKey: [resource, 'related', id, query, relatedTestsIn(predicate)],
    queryFn: async ({ client: queryClient }): Promise<ResourceRecord> => {
      const record = await fetchApi<ResourceRecord | { data: ResourceRecord }>(
        `/${resource}/${id}?fields=${query}`,
        {},
        client,
      );
      const knownValues: Record<string, unknown> = { ...('data' in record ? (record.data as ResourceRecord) : record) };
      for (const test of relatedTestsIn(predicate)) {
        const { to: targetName } = fields[test.field] ?? {};
        const ids = idsIn(knownValues[test.field]);
        if (targetName === undefined || ids.length === 0) continue;
        const read = (relatedId: number) =>
          queryClient
            .fetchQuery(recordQuery(registry, client, targetName, relatedId, test.of))
            .catch(() => ({ id: relatedId }));
        knownValues[test.field] = await Promise.all(ids.map(read));
      }
      return knownValues;
    },
    staleTime,
    meta: { quiet: true },
  });
}

/** The fields of the record itself that a predicate reads. */
function fieldsRead(predicate: Predicate): readonly string[] {
  if (predicate.kind === 'compare') return [predicate.left];
  if (predicate.kind === 'some') return [predicate.field];
  return predicate.kind === 'not' ? fieldsRead(predicate.of) : predicate.of.flatMap(fieldsRead);
}
