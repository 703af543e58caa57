import { assignedFields } from '../../../engine/registry/assigned-fields';
import type { Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { parentFieldsOf } from '../../../engine/forms/dependent-fields';
import { isGroupable } from '../../../engine/lists/groupable';
import type { Choice } from '../../fields/choices/choice';
import { loadChoices, loadListedChoices, type ChoiceQuery } from '../../fields/choices/loadChoices';
import { ApiError, fetchApi } from '../../session/api';
import type { ApiClient } from '../../session/apiClient';

/** The choices of a field of records that have the same parents. */
export type SuccessorQuery = Pick<ChoiceQuery, 'resource' | 'field' | 'parents'>;

interface Assigned {
  readonly definition: Definition;
  readonly registry: Registry;
  /** The resources with records that are assigned. */
  readonly resources: readonly string[];
  readonly ids: readonly number[];
}

/** As many kinds of records are looked at; what another one refuses is said when it is handed over. */
const maxKinds = 20;

/**
 * Finds out whose choices decide who may take over: one query for each field, and for each value of the field that its
 * choices depend on. Undefined if they depend on more than one.
 */
export async function findSuccessorQueries(
  { definition, registry, resources, ids }: Assigned,
  signal: AbortSignal,
  ask: ApiClient,
): Promise<readonly SuccessorQuery[] | undefined> {
  const queries: SuccessorQuery[] = [];
  for (const { definition: user, fields } of assignedFields(registry, definition)) {
    if (!resources.includes(user.name)) continue;
    for (const field of fields) {
      const query = { resource: user.name, field: field.name };
      const [parent, ...otherParents] = parentFieldsOf(field);
      if (parent === undefined) {
        queries.push(query);
        continue;
      }
      if (otherParents.length > 0 || !user.fields[parent] || !isGroupable(user.fields[parent])) return undefined;
      const filter = JSON.stringify({ [field.name]: ids });
      const path = `/${user.name}/aggregate?${new URLSearchParams({ group: parent, take: 'count', filter, range: `[0,${maxKinds - 1}]` })}`;
      const { data } = await fetchApi<{ data: { group: Record<string, unknown> }[] }>(path, { signal }, ask);
      const values = data.flatMap(({ group }) => group[parent] ?? []);
      queries.push(...values.map((value) => ({ ...query, parents: { [parent]: value } })));
    }
  }
  return queries;
}

/** Those who may be chosen in at least one of the records that are assigned. */
export async function loadSuccessors(
  { definition, ids }: Pick<Assigned, 'definition' | 'ids'>,
  queries: readonly SuccessorQuery[] | undefined,
  text: string,
  signal: AbortSignal | undefined,
  ask: ApiClient,
): Promise<readonly Choice[]> {
  const pages = queries
    ? await Promise.all(queries.map((query) => loadPage({ ...query, text, recentIds: 'none' }, signal, ask)))
    : [await loadListedChoices({ resource: definition.name, filter: {}, text }, signal, ask)];
  const byId = new Map(pages.flat().map((choice) => [choice.id, choice]));
  return [...byId.values()].filter(({ id }) => !ids.includes(Number(id)));
}

/** Loads a page of choices; none where the server refuses, since a user who may not change records may choose nobody for them. */
async function loadPage(query: ChoiceQuery, signal: AbortSignal | undefined, ask: ApiClient) {
  try {
    return await loadChoices(query, signal, ask);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}
