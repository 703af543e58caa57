import { useCallback } from 'react';
import { useNotify } from 'react-admin';
import type { RowActionCall, ResourceRecord, ShownAnswer } from '../../engine/definitions/definition';
import { resolveValues } from '../../engine/lists/presets';
import { useEvaluationContext } from '../admin/useEvaluationContext';
import { reportError } from '../admin/ErrorToasts';
import { useOpenDialog } from '../dialogs/openDialog';
import { fetchApi } from '../session/api';
import { useApi } from '../session/apiClient';

interface CallResponse {
  status?: boolean;
  message?: string;
  data?: ResourceRecord;
}

/** Returns a function that makes a definition's call on a record and shows the result as a toast, a page or a secret. */
export function useCall(): (call: RowActionCall, record: ResourceRecord) => Promise<void> {
  const evaluationContext = useEvaluationContext();
  const notify = useNotify();
  const openDialog = useOpenDialog();
  const ask = useApi();
  return useCallback(
    async (call, record) => {
      try {
        const path = `/${call.path.replace('{id}', encodeURIComponent(String(record.id)))}`;
        const json = resolveValues(call.body, { ...evaluationContext, record });
        const { status, message = '', data } = await fetchApi<CallResponse>(path, { method: 'POST', json }, ask);
        if (status === false) return notify(message, { type: 'error', messageArgs: { _: message } });
        if (call.shows && data) {
          const shown = Object.entries(call.shows).map(([part, name]) => [part, String(data[name])]);
          return openDialog({ kind: 'page', ...(Object.fromEntries(shown) as unknown as ShownAnswer) });
        }
        const toast = call.toast ?? message;
        if (toast) notify(toast, { type: 'success', messageArgs: { _: toast } });
      } catch (error) {
        reportError(error as Error);
      }
    },
    [evaluationContext, ask, notify, openDialog],
  );
}
