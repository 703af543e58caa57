import { useCallback } from 'react';
import type { Definition, RequestDefinition, ResourceRecord } from '../../engine/definitions/definition';
import { isOneClick } from '../../engine/lists/fixed-requests';
import { reportError } from '../data/ErrorToasts';
import { useOpenDialog } from '../dialogs/openDialog';
import { useSendRequest } from './useSendRequest';

/**
 * Returns a function that makes a request on a record: at once if it asks for nothing, otherwise in its dialog.
 *
 * @example useMakeRequest(definition)(definition.requests.comment, record);
 */
export function useMakeRequest(definition: Definition): (request: RequestDefinition, record: ResourceRecord) => void {
  const openDialog = useOpenDialog();
  const send = useSendRequest(definition);
  return useCallback(
    (request, record) => {
      if (isOneClick(request)) void send(request, record, {}).catch(reportError);
      else openDialog({ kind: 'request', definition, request, id: String(record.id) });
    },
    [definition, openDialog, send],
  );
}
