import type { DataProvider } from 'react-admin';
import { createDataProvider } from '../../data/dataProvider';
import { requestApi } from '../../session/api';
import type { ApiClient } from '../../session/apiClient';
import type { ResourceRecord } from '../../../engine/definitions/definition';
import type { PreviewWorld } from './previewWorld';

/** The message of everything that would write. */
const nothingSavedMessage = 'This is a preview: nothing is saved.';

/** Replaces the server in a preview: reads records as if the draft were published, and changes nothing. */
export interface PreviewServer {
  readonly dataProvider: DataProvider;
  readonly ask: ApiClient;
  /** Changes the draft and the viewer that it reads with. */
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
  const ask: ApiClient = async (path, init = {}) => {
    if (path.startsWith('/grid-configurations')) return Response.json({ data: null });
    if (init.method !== undefined && init.method !== 'GET') return refuse();
    const { definition, registry, source, viewAs } = world;
    const [, resource = '', kind] = recordPath.exec(path) ?? [];
    if (!registry.get(resource)) return requestApi(path, init);
    const json = {
      definition: source,
      as: viewAs,
      path: isRecord(kind) ? path : inCompany(world, resource, kind, path),
    };
    return requestApi(`/modules/${definition.name}/read`, {
      method: 'POST',
      json,
      readsOnly: true,
      signal: init.signal,
    });
  };
  const dataProvider: DataProvider = {
    ...createDataProvider(ask),
    create: refuse,
    update: refuse,
    updateMany: refuse,
    delete: refuse,
    deleteMany: refuse,
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

/** A list, a record, an aggregate, a tree, or choices of a filter or of a field. */
const recordPath = /^\/([^/?]+)(?:\/(\d+|aggregate|tree|choices(?:\/[^/?]+)?))?(?:\?|$)/;
const isRecord = (kind: string | undefined) => kind !== undefined && /^\d/.test(kind);

/** A path restricted to the previewed company, which administrators of the installation do not belong to. */
function inCompany(
  { registry, actor, company }: PreviewWorld,
  resource: string,
  kind: string | undefined,
  path: string,
) {
  if (actor.site_id !== null) return path;
  const [address, text] = path.split(/\?(.*)/s);
  const query = new URLSearchParams(text);
  const { scope } = registry.getOrThrow(resource);
  if (kind?.startsWith('choices/')) {
    if (!query.has('site_id')) query.set('site_id', String(company));
  } else if (scope === 'company' || scope === 'self') {
    const filter = JSON.parse(query.get('filter') ?? '{}') as ResourceRecord;
    query.set(
      'filter',
      JSON.stringify({ ...filter, ...(scope === 'self' ? { id: [company] } : { site_id: company }) }),
    );
  }
  return `${address}?${query}`;
}
