import { useQuery } from '@tanstack/react-query';
import { unwrapId } from '../../engine/conditions/variables';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { computedKind } from '../../engine/conditions/computed-kind';
import { lookupPath } from '../../engine/expressions/derivations';
import { firstOf } from '../../engine/values/lookups';
import { useDefinitions } from '../data/DefinitionsContext';
import { fetchApi } from '../session/api';
import { useApi, type ApiClient } from '../session/apiClient';
import type { FormModel } from './useFormModel';

/**
 * The values of the form's lookups whose relation was changed since the record was stored: of what is chosen now; null
 * while they load, and where the user may not read them.
 */
export function useLookupValues(
  { definition, fields }: Pick<FormModel, 'definition' | 'fields'>,
  record: ResourceRecord,
  values: ResourceRecord,
): ResourceRecord {
  const { registry } = useDefinitions();
  const client = useApi();
  const changedLookups = fields.flatMap((field) => {
    if (computedKind(field) !== 'lookup') return [];
    const [relation, ...path] = lookupPath(field) as [string, ...string[]];
    const chosenId = unwrapId(values[relation] ?? null);
    const { to: targetName } = definition.fields[relation] ?? {};
    if (targetName === undefined || !(relation in values) || chosenId === unwrapId(record[relation] ?? null)) return [];
    return [{ name: field.name, to: targetName, id: typeof chosenId === 'number' ? chosenId : undefined, path }];
  });
  const { data } = useQuery({
    queryKey: ['form-lookups', definition.name, ...changedLookups.map(({ name, id }) => `${name}/${id}`)],
    queryFn: async () => {
      const pendingValues = changedLookups.map(({ to: targetName, id, path }) =>
        id === undefined ? null : loadPath(registry, client, targetName, id, path),
      );
      const loadedValues = await Promise.all(pendingValues);
      return Object.fromEntries(changedLookups.map(({ name }, index) => [name, loadedValues[index]]));
    },
    enabled: changedLookups.length > 0,
    placeholderData: () => Object.fromEntries(changedLookups.map(({ name }) => [name, null])),
    meta: { quiet: true },
  });
  return changedLookups.length === 0 ? noValues : (data ?? noValues);
}

/** The same object each time, for those that depend on it. */
const noValues: ResourceRecord = {};

/** The value at a path from a record, as far as the user may read it. */
async function loadPath(
  registry: Registry,
  client: ApiClient,
  resource: string,
  id: number,
  path: readonly string[],
): Promise<unknown> {
  const name = firstOf(path);
  const rest = path.slice(1);
  const answer = await fetchApi<ResourceRecord>(`/${resource}/${id}?fields=id,${name}`, {}, client).catch(() => ({}));
  const record: ResourceRecord =
    registry.get(resource)?.envelope === 'data' ? ((answer as ResourceRecord).data as ResourceRecord) : answer;
  const value = record?.[name] ?? null;
  if (rest.length === 0) return value;
  const next = unwrapId(value);
  const { to: targetName } = registry.get(resource)?.fields[name] ?? {};
  return targetName !== undefined && typeof next === 'number'
    ? loadPath(registry, client, targetName, next, rest)
    : null;
}
