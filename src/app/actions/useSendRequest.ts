import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useNotify } from 'react-admin';
import type { Definition, RequestDefinition, ResourceRecord } from '../../engine/definitions/definition';
import { useApi } from '../session/apiClient';

/**
 * Returns a function that makes a request, shows its toast, and refreshes what it changed. It throws ApiError.
 *
 * @example await useSendRequest(definition)(definition.requests.comment, record, { comment: 'Seen' });
 */
export function useSendRequest(
  definition: Definition,
): (request: RequestDefinition, record: ResourceRecord, values: ResourceRecord) => Promise<void> {
  const ask = useApi();
  const notify = useNotify();
  const queryClient = useQueryClient();
  return useCallback(
    async (request, record, values) => {
      // Not before it is needed: lists are shown without it.
      const { sendAndRefresh } = await import('./sendAndRefresh');
      await sendAndRefresh({ definition, request, record, values }, ask, queryClient);
      notify(request.toast, { type: 'success', messageArgs: { _: request.toast } });
    },
    [ask, definition, notify, queryClient],
  );
}
