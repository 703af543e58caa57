import type { Definition, RequestDefinition, ResourceRecord } from '../../engine/definitions/definition';
import { isSameValue } from '../../engine/forms/form-values';
import { toFormData } from '../data/multipart';
import { ApiError, fetchApi } from '../session/api';
import type { ApiClient } from '../session/apiClient';

/**
 * Makes a request on a record and returns the updated record. If somebody else changed a value that the request sets
 * since `shownRecord` was read, nothing is stored. `query` is sent with it. Throws ApiError, in that case with
 * `CONFLICT_STALE`.
 */
export async function sendRequest(
  definition: Definition,
  request: RequestDefinition,
  shownRecord: ResourceRecord,
  values: ResourceRecord,
  ask: ApiClient,
  query = '',
): Promise<ResourceRecord> {
  const id = encodeURIComponent(String(shownRecord.id));
  const path = `/${request.path.replace('{id}', id)}${query}`;
  // A request that only adds records needs no version.
  const sets = request.sets.some((name) => name in values);
  const send = async ({ updated_at }: ResourceRecord) => {
    const body = { ...values, ...(sets && { updated_at }) };
    const form = toFormData(body);
    return unwrapRecord(
      await fetchApi<ResourceRecord>(path, { method: 'PATCH', ...(form ? { body: form } : { json: body }) }, ask),
    );
  };
  try {
    return await send(shownRecord);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'CONFLICT_STALE')) throw error;
    // Changes of other fields do not concern this request.
    const storedRecord = unwrapRecord(await fetchApi<ResourceRecord>(`/${definition.name}/${id}`, {}, ask));
    if (request.sets.some((name) => name in values && !isSameValue(storedRecord[name], shownRecord[name]))) throw error;
    return send(storedRecord);
  }
}

function unwrapRecord(answer: ResourceRecord): ResourceRecord {
  return Object.keys(answer).length === 1 && 'data' in answer ? (answer.data as ResourceRecord) : answer;
}
