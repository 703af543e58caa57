import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Predicate } from '../../engine/conditions/grammar';
import { evaluateRelatedTest } from '../../engine/conditions/may-match';
import { formRelatedTests, relatedTestsIn, type RelatedTest } from '../../engine/conditions/related-tests';
import { idOf, type EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { useDefinitions } from '../admin/DefinitionsContext';
import { fetchApi } from '../session/api';
import { useApi, type ApiClient } from '../session/apiClient';

/** Related records by resource and id, as far as they could be read. */
type Related = ReadonlyMap<string, ResourceRecord>;

/**
 * The results of a form's tests on related records, for its values as they are now: it loads those of their fields that
 * the tests need. What the user may not read stays unknown, and is left to the server.
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
  const around = { ...evaluationContext.record, ...values };
  const needs = tests.flatMap((test): Need[] => {
    const { to } = relations[test.field] ?? definition.fields[test.field] ?? {};
    return to === undefined ? [] : [{ resource: to, ids: idsIn(around[test.field]), test }];
  });
  const keys = needs.flatMap(({ resource, ids }) => ids.map((id) => keyOf(resource, id)));
  const { data } = useQuery({
    queryKey: ['form-related', definition.name, ...keys],
    queryFn: () => loadRelated(registry, client, needs),
    enabled: keys.length > 0,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const results = new Map<Predicate, boolean>();
  for (const { test, resource, ids } of needs) {
    const records = ids.map((id) => data?.get(keyOf(resource, id)) ?? { id });
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
  return list.map(idOf).filter((id): id is number => typeof id === 'number');
}

async function loadRelated(registry: Registry, client: ApiClient, needs: readonly Need[]): Promise<Related> {
  const found = new Map<string, ResourceRecord>();
  const tests = new Map<string, { resource: string; id: number; of: Predicate[] }>();
  for (const { resource, ids, test } of needs) {
    for (const id of ids) {
      const key = keyOf(resource, id);
      tests.set(key, { resource, id, of: [...(tests.get(key)?.of ?? []), test.of] });
    }
  }
  const load = async ([key, { resource, id, of }]: [string, { resource: string; id: number; of: Predicate[] }]) => {
    found.set(key, await loadRecord(registry, client, resource, id, { kind: 'all', of }));
  };
  await Promise.all([...tests].map(load));
  return found;
}

/** The fields of a record that a predicate reads, with the records that it refers to in place of their ids. */
async function loadRecord(
  registry: Registry,
  client: ApiClient,
  resource: string,
  id: number,
  predicate: Predicate,
): Promise<ResourceRecord> {
  const fields = registry.get(resource)?.fields ?? {};
  const names = fieldsRead(predicate).filter((name) => Object.hasOwn(fields, name));
  const record = await fetchApi<ResourceRecord | { data: ResourceRecord }>(
    `/${resource}/${id}?fields=${['id', ...new Set(names)].join(',')}`,
    {},
    client,
  ).catch(() => ({ id }));
  const known: Record<string, unknown> = { ...('data' in record ? (record.data as ResourceRecord) : record) };
  for (const test of relatedTestsIn(predicate)) {
    const { to } = fields[test.field] ?? {};
    const ids = idsIn(known[test.field]);
    if (to === undefined || ids.length === 0) continue;
    known[test.field] = await Promise.all(ids.map((one) => loadRecord(registry, client, to, one, test.of)));
  }
  return known;
}

/** The fields of the record itself that a predicate reads. */
function fieldsRead(predicate: Predicate): readonly string[] {
  if (predicate.kind === 'compare') return [predicate.left];
  if (predicate.kind === 'some') return [predicate.field];
  return predicate.kind === 'not' ? fieldsRead(predicate.of) : predicate.of.flatMap(fieldsRead);
}
