import type { RequestDefinition, ResourceRecord } from '../../engine/definitions/definition';
import { fetchApi } from '../session/api';
import type { Ask } from '../session/ask';

/** Makes a request of its own on a record, and answers the record as it then is. Throws ApiError. */
export async function sendRequest(
  request: RequestDefinition,
  id: string,
  values: ResourceRecord,
  ask: Ask,
): Promise<ResourceRecord> {
  const path = `/${request.path.replace('{id}', encodeURIComponent(id))}`;
  const answer = await fetchApi<ResourceRecord>(path, { method: 'PATCH', json: values }, ask);
  return Object.keys(answer).length === 1 && 'data' in answer ? (answer.data as ResourceRecord) : answer;
}
