import { useQuery } from '@tanstack/react-query';
import { idOf } from '../../engine/conditions/variables';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { computedKind } from '../../engine/conditions/computed-kind';
import { lookupPath } from '../../engine/expressions/derivations';
import { useDefinitions } from '../admin/DefinitionsContext';
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
  const changed = fields.flatMap((field) => {
    if (computedKind(field) !== 'lookup') return [];
    const [relation, ...path] = lookupPath(field) as [string, ...string[]];
    const chosen = idOf(values[relation] ?? null);
    const { to } = definition.fields[relation] ?? {};
    if (to === undefined || !(relation in values) || chosen === idOf(record[relation] ?? null)) return [];
    return [{ name: field.name, to, id: typeof chosen === 'number' ? chosen : undefined, path }];
  });
  const { data } = useQuery({
    queryKey: ['form-lookups', definition.name, ...changed.map(({ name, id }) => `${name}/${id}`)],
    queryFn: async () => {
      const found = changed.map(({ to, id, path }) =>
        id === undefined ? null : loadPath(registry, client, to, id, path),
      );
      const loaded = await Promise.all(found);
      return Object.fromEntries(changed.map(({ name }, index) => [name, loaded[index]]));
    },
    enabled: changed.length > 0,
    placeholderData: () => Object.fromEntries(changed.map(({ name }) => [name, null])),
    meta: { quiet: true },
  });
  return changed.length === 0 ? none : (data ?? none);
}

/** The same object each time, for those that depend on it. */
const none: ResourceRecord = {};

/** The value at a path from a record, as far as the user may read it. */
async function loadPath(
  registry: Registry,
  client: ApiClient,
  resource: string,
  id: number,
  [name, ...rest]: readonly string[],
): Promise<unknown> {
  const answer = await fetchApi<ResourceRecord>(`/${resource}/${id}?fields=id,${name}`, {}, client).catch(() => ({}));
  const record: ResourceRecord =
    registry.get(resource)?.envelope === 'data' ? ((answer as ResourceRecord).data as ResourceRecord) : answer;
  const value = record?.[name!] ?? null;
  if (rest.length === 0) return value;
  const next = idOf(value);
  const { to } = registry.get(resource)?.fields[name!] ?? {};
  return to !== undefined && typeof next === 'number' ? loadPath(registry, client, to, next, rest) : null;
}
