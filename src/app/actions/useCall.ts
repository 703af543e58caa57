import { useCallback } from 'react';
import { useNotify } from 'react-admin';
import type {
  Definition,
  ResourceRecord,
  RowAction,
  RowActionCall,
  ShownAnswer,
} from '../../engine/definitions/definition';
import { toastOfCall } from '../../engine/lists/call-toast';
import { resolveValues } from '../../engine/lists/presets';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { reportError } from '../data/ErrorToasts';
import { useOpenDialog } from '../dialogs/openDialog';
import { fetchApi } from '../session/api';
import { useApi } from '../session/apiClient';
import { invitationLink, invitationPath } from '../session/invitationLink';

interface CallResponse {
  status?: boolean;
  message?: string;
  data?: ResourceRecord;
}

/**
 * Returns a function that makes the call of a definition's action on a record, after its question if it has one, and
 * shows the result as a toast, a page or a secret. With a definition whose form is a panel at the side, the secret is
 * above that form.
 *
 * @example
 * useCall()(action, record); // action: { label: 'Resend', calls: { path: 'resend-invitation', body: { user_id: '$record.id' } } }
 */
export function useCall(definition?: Definition): (action: RowAction, record: ResourceRecord) => void {
  const evaluationContext = useEvaluationContext();
  const notify = useNotify();
  const openDialog = useOpenDialog();
  const ask = useApi();
  const run = useCallback(
    async (call: RowActionCall, record: ResourceRecord) => {
      try {
        const path = `/${call.path.replace('{id}', encodeURIComponent(String(record.id)))}`;
        const values = {
          ...resolveValues(call.body, { ...evaluationContext, record }),
          ...(call.path === invitationPath && invitationLink()),
        };
        const json = call.idsProperty ? { ...values, [call.idsProperty]: [record.id] } : values;
        const { status, message = '', data } = await fetchApi<CallResponse>(path, { method: 'POST', json }, ask);
        if (status === false) return notify(message, { type: 'error', messageArgs: { _: message } });
        if (call.shows && data) {
          const answerEntries = Object.entries(call.shows).map(([part, name]) => [part, String(data[name])]);
          const answer = Object.fromEntries(answerEntries) as unknown as ShownAnswer;
          if (answer.secret === undefined || !definition?.form.dialog?.side)
            return openDialog({ kind: 'page', ...answer });
          return openDialog({ kind: 'form', definition, mode: 'edit', id: String(record.id), shownAnswer: answer });
        }
        const toast = toastOfCall(call, data ?? {}) ?? message;
        if (toast) notify(toast, { type: 'success', messageArgs: { _: toast } });
      } catch (error) {
        reportError(error as Error);
      }
    },
    [definition, evaluationContext, ask, notify, openDialog],
  );
  return useCallback(
    ({ calls, label }, record) => {
      if (!calls) return;
      if (!calls.confirm) return void run(calls, record);
      openDialog({ kind: 'question', title: label, question: calls.confirm, run: () => run(calls, record) });
    },
    [openDialog, run],
  );
}
