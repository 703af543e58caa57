import { choicesPageSize } from '../../../choices/loadChoices';
import { requestApi } from '../../../session/api';
import type { Definition, Field, ResourceRecord } from '../../../../engine/definitions/definition';
import { choiceOrder } from '../../../../engine/lists/choice-order';
import { recordTitleOf } from '../../../../engine/lists/titles';
import { previousField } from './convertRecord';
import type { ListQuery } from './queryRecords';
import type { PreviewWorld } from './previewWorld';

/**
 * The choices of a field of the draft: those of the published field if it has the same conditions, otherwise all records
 * of its target.
 */
export async function fetchChoices(
  world: PreviewWorld,
  name: string,
  query: URLSearchParams,
  signal?: AbortSignal | null,
): Promise<Response> {
  const { definition, published, company } = world;
  const field = definition.fields[name];
  if (!field?.to) return Response.json({ data: [] });
  const former = published && previousField(field, published);
  if (company !== null && !query.has('site_id')) query.set('site_id', String(company));
  if (former && hasSameChoices(field, former)) {
    return requestApi(`/${definition.name}/choices/${former.name}?${query}`, { signal });
  }
  return Response.json({ data: await listTarget(world, field.to, query, signal) });
}

/** The draft's own records as choices of a filter. */
export function filterChoices(
  list: (asked: ListQuery) => { data: readonly ResourceRecord[] },
  definition: Definition,
  filter: ResourceRecord,
  query: URLSearchParams,
): Response {
  const q = query.get('q');
  const pagination = { page: 1, perPage: choicesPageSize };
  const { data } = list({ filter: { ...filter, ...(q && { q }) }, pagination, sort: { ...choiceOrder(definition) } });
  return Response.json({ data: data.map((record) => ({ id: record.id, title: recordTitleOf(definition, record) })) });
}

function hasSameChoices(field: Field, former: Field): boolean {
  return field.to === former.to && JSON.stringify(field.choices) === JSON.stringify(former.choices);
}

async function listTarget(
  { registry, company }: PreviewWorld,
  resource: string,
  query: URLSearchParams,
  signal?: AbortSignal | null,
) {
  const target = registry.getOrThrow(resource);
  const [q, ids] = [query.get('q'), query.get('id')];
  const filter = {
    ...(target.scope === 'company' && company !== null && { site_id: company }),
    ...(ids && { id: ids.split(',').map(Number) }),
    ...(q && { q }),
  };
  const sort = target.fields[target.titleField]?.sortable ? target.titleField : 'id';
  const asked = { range: [0, choicesPageSize - 1], sort: [sort, 'ASC'], filter };
  const parameters = new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, JSON.stringify(value)]));
  const answer = (await (await requestApi(`/${target.name}?${parameters}`, { signal })).json()) as
    | ResourceRecord[]
    | { data: ResourceRecord[] };
  const records = Array.isArray(answer) ? answer : answer.data;
  return records.map((record) => ({ id: record.id, title: recordTitleOf(target, record) }));
}
