import type { QueryClient } from '@tanstack/react-query';
import type { Definition, RequestDefinition, ResourceRecord } from '../../engine/definitions/definition';
import { refreshAfterSaving } from '../data/refreshAfterSaving';
import type { ApiClient } from '../session/apiClient';
import { sendRequest } from './sendRequest';

/** Makes a request on a record and refreshes what it changed. Throws ApiError. */
export async function sendAndRefresh(
  { definition, request, record, values }: SentRequest,
  ask: ApiClient,
  queryClient: QueryClient,
): Promise<void> {
  await sendRequest(definition, request, record, values, ask);
  void refreshAfterSaving(queryClient, definition.name);
}

interface SentRequest {
  definition: Definition;
  request: RequestDefinition;
  record: ResourceRecord;
  values: ResourceRecord;
}
