import simpleRestProvider from 'ra-data-simple-rest';
import type { DataProvider } from 'react-admin';
import { requestApi } from '../session/api';
import type { ApiClient } from '../session/apiClient';
import { ApiError, readText } from '../session/apiError';
import { recordOwnVersion } from '../session/ownVersions';
import type { ListPage } from './deepPages';
import { toFormData } from './multipart';

interface ListMeta {
  fields?: readonly string[];
  query?: string;
  byKey?: boolean;
}

interface HttpAnswer {
  status: number;
  headers: Headers;
  body: string;
  json: unknown;
}

/** From this row on, skipping all before it takes longer than going on from the page beside it. */
const firstDeepRow = 1_000;

/**
 * Whether a response is an envelope: an object with `data` and nothing else. A record always has more properties, at
 * least its id.
 */
function isEnvelope(json: unknown): json is { data: unknown } {
  return typeof json === 'object' && json !== null && 'data' in json && Object.keys(json).length === 1;
}

/**
 * A data provider: the dialect of `ra-data-simple-rest` over `request`. Responses are unwrapped, and values with a file are
 * sent as multipart.
 *
 * @example createDataProvider(useApi()).getOne('deals', { id: 7 });
 */
export function createDataProvider(request: ApiClient): DataProvider {
  async function httpClient(path: string, options: RequestInit = {}): Promise<HttpAnswer> {
    const headers = new Headers(options.headers);
    if (typeof options.body === 'string') headers.set('Content-Type', 'application/json');
    else headers.delete('Content-Type');
    headers.delete('Range');
    const response = await request(path, { ...options, headers });
    const body = await readText(response);
    const json: unknown = body === '' ? undefined : JSON.parse(body);
    if (options.method !== undefined && options.method !== 'GET') recordOwnVersion(json);
    return { status: response.status, headers: response.headers, body, json: isEnvelope(json) ? json.data : json };
  }
  const simple = simpleRestProvider('', httpClient);
  return {
    ...simple,
    /**
     * `meta.fields`: the properties to request of each record; `meta.query`: more of the query, beginning with `&`;
     * `meta.byKey`: pages far in may begin at a key. Windows that are loaded again together go by place, or a record
     * that was added meanwhile pushes another out between them. With any of these the total may be an estimate
     * (`formatTotal`).
     */
    async getList(resource, params) {
      if (!params.meta) return simple.getList(resource, params);
      const { fields, query = '', byKey } = params.meta as ListMeta;
      const { page, perPage } = params.pagination ?? { page: 1, perPage: 1 };
      const load = async (key: string): Promise<ListPage> => {
        let headers!: Headers;
        const names = fields ? `&fields=${fields.map(encodeURIComponent).join()}` : '';
        const fieldsProvider = simpleRestProvider('', async (path, options) => {
          const answer = await httpClient(`${path}${names}&total=estimate${query}${key}`, options);
          headers = answer.headers;
          return answer;
        });
        const list = await fieldsProvider.getList(resource, params);
        if (headers.has('X-Total-Estimated')) list.total! += 0.5;
        return { list, headers };
      };
      try {
        const isDeep = byKey && (page - 1) * perPage >= firstDeepRow;
        const { list } = await (isDeep
          ? import('./deepPages').then(
              ({ loadDeepPage }) => loadDeepPage(resource, params, load),
              // Without the code it is slower.
              () => load(''),
            )
          : load(''));
        return list as never;
      } catch (error) {
        // The definition changed, and this tab has not been notified yet.
        if (error instanceof ApiError && error.code === 'UNKNOWN_FIELD') return simple.getList(resource, params);
        throw error;
      }
    },
    async create(resource, params) {
      const body = toFormData(params.data as Record<string, unknown>);
      if (!body) return simple.create(resource, params);
      return { data: (await httpClient(`/${resource}`, { method: 'POST', body })).json as never };
    },
    async update(resource, params) {
      const body = toFormData(params.data as Record<string, unknown>);
      if (!body) return simple.update(resource, params);
      const path = `/${resource}/${encodeURIComponent(params.id)}`;
      return { data: (await httpClient(path, { method: 'PUT', body })).json as never };
    },
  };
}

/** The application's data provider. */
export const dataProvider: DataProvider = createDataProvider(requestApi);
