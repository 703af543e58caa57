import type { DataProvider, RaRecord } from 'react-admin';
import { dataProvider as published } from '../../../admin/dataProvider';
import { requestApi } from '../../../session/api';
import type { ApiClient } from '../../../session/apiClient';
import type { ResourceRecord } from '../../../../engine/definitions/definition';
import { fetchChoices, filterChoices } from './fetchChoices';
import { countGroups } from './groupRecords';
import { queryRecords, type ListQuery } from './queryRecords';
import { visibleRecord, listedRecords, evaluationContextOf, type PreviewWorld } from './previewWorld';

/** The message of everything that would write. */
const nothingSavedMessage = 'This is a preview: nothing is saved.';

/** Replaces the server in a preview: responds from loaded records and changes nothing. */
export interface PreviewServer {
  readonly dataProvider: DataProvider;
  readonly ask: ApiClient;
  /** Changes the draft, viewer and records that it responds with. */
  update(world: PreviewWorld): void;
  /** Notifies the user that nothing is saved, and rejects with an AbortError. */
  refuse(): Promise<never>;
}

/** Creates a preview server. `say` notifies the user. */
export function createPreviewServer(first: PreviewWorld, say: (words: string) => void): PreviewServer {
  let world = first;
  const refuse = () => {
    say(nothingSavedMessage);
    return Promise.reject(new DOMException(nothingSavedMessage, 'AbortError'));
  };
  const isDraft = (resource: string) => resource === world.definition.name;
  const within = () => ({ ...world, evaluationContext: evaluationContextOf(world) });

  const list = (asked: ListQuery) =>
    queryRecords(listedRecords(world), asked, within()) as { data: never[]; total: number };
  /** Restricts lists of other resources to the previewed company. */
  const inCompany = (resource: string, filter: ResourceRecord = {}) => {
    const scope = world.registry.get(resource)?.scope;
    return world.company !== null && scope === 'company' ? { ...filter, site_id: world.company } : filter;
  };
  const one = async (id: unknown): Promise<RaRecord> => {
    const { definition } = world;
    const { data } = await published.getOne(definition.name, { id: id as number });
    return (visibleRecord(world, data, 'view') ?? { id }) as RaRecord;
  };

  const dataProvider: DataProvider = {
    ...published,
    getList: async (resource, params) =>
      isDraft(resource)
        ? list({ ...params, filter: params.filter as ResourceRecord })
        : published.getList(resource, { ...params, filter: inCompany(resource, params.filter as ResourceRecord) }),
    getOne: async (resource, params) =>
      isDraft(resource) ? { data: (await one(params.id)) as never } : published.getOne(resource, params),
    getMany: async (resource, params) => {
      if (!isDraft(resource)) return published.getMany(resource, params);
      const ids = new Set(params.ids.map(Number));
      return { data: list({ filter: {} }).data.filter(({ id }) => ids.has(Number(id))) };
    },
    create: refuse,
    update: refuse,
    updateMany: refuse,
    delete: refuse,
    deleteMany: refuse,
  };

  const ask: ApiClient = async (path, init = {}) => {
    const isChoosing = path.startsWith('/grid-configurations');
    if (isChoosing) return Response.json({ data: null });
    if (init.method !== undefined && init.method !== 'GET') return refuse();
    const groups = /^\/([^/?]+)\/aggregate\?(.*)$/.exec(path);
    if (groups && isDraft(groups[1]!)) {
      const parameters = new URLSearchParams(groups[2]);
      const { data } = list({ filter: JSON.parse(parameters.get('filter') ?? '{}') as ResourceRecord });
      return Response.json(countGroups(data, parameters, world));
    }
    const offer = /^\/([^/?]+)\/choices\??([^/]*)$/.exec(path);
    if (offer) {
      const parameters = new URLSearchParams(offer[2]);
      const filter = { ...(JSON.parse(parameters.get('filter') ?? '{}') as ResourceRecord) };
      if (isDraft(offer[1]!)) return filterChoices(list, world.definition, filter, parameters);
      parameters.set('filter', JSON.stringify(inCompany(offer[1]!, filter)));
      return requestApi(`/${offer[1]}/choices?${parameters}`, init);
    }
    const choices = /^\/([^/?]+)\/choices\/([^/?]+)\??(.*)$/.exec(path);
    if (choices && isDraft(choices[1]!))
      return fetchChoices(world, choices[2]!, new URLSearchParams(choices[3]), init.signal);
    return requestApi(path, init);
  };
  return {
    dataProvider,
    ask,
    refuse,
    update: (next) => {
      world = next;
    },
  };
}
