import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import type { ResourceRecord, RowAction, RowActionCall } from '../../engine/definitions/definition';
import { toastOfCall, type CallAnswer } from '../../engine/lists/call-toast';
import { resolveValues } from '../../engine/lists/presets';
import { requireValue } from '../../engine/values/lookups';
import { reportError } from '../data/ErrorToasts';
import { useEvaluationContext } from '../data/useEvaluationContext';
import { useOpenDialog } from '../dialogs/openDialog';
import { fetchApi } from '../session/api';
import { useApi } from '../session/apiClient';

type CallOfMany = RowActionCall & { readonly idsProperty: string };

/** The call of an action that is made on several records at once. */
function callOfMany({ name, calls }: RowAction): CallOfMany {
  const { idsProperty, ...call } = requireValue(calls, `the call of ${name}`);
  return { ...call, idsProperty: requireValue(idsProperty, `the property of ${name} that names several records`) };
}

interface Response {
  message?: string;
  data?: CallAnswer;
}

/**
 * Returns a function that makes the call of an action on several records, after its question if it has one: in one call,
 * since each may make a record for them all.
 *
 * @example
 * const { call } = useManyCall();
 * call(action, selected, () => onSelect(noneSelected)); // action.calls: { path: 'parcels/labels', many: 'parcels' }
 */
export function useManyCall() {
  const evaluationContext = useEvaluationContext();
  const notify = useNotify();
  const openDialog = useOpenDialog();
  const queryClient = useQueryClient();
  const ask = useApi();
  const [isBusy, setBusy] = useState(false);
  const run = async (calls: CallOfMany, records: readonly ResourceRecord[], onDone: () => void) => {
    setBusy(true);
    try {
      const ids = records.map(({ id }) => Number(id));
      const json = { ...resolveValues(calls.body, evaluationContext), [calls.idsProperty]: ids };
      const { message = '', data = {} } = await fetchApi<Response>(`/${calls.path}`, { method: 'POST', json }, ask);
      const toast = toastOfCall(calls, data) ?? message;
      if (toast) notify(toast, { type: 'success', messageArgs: { _: toast } });
      onDone();
    } catch (error) {
      reportError(error as Error);
    } finally {
      setBusy(false);
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'getList' });
    }
  };
  const call = (action: RowAction, records: readonly ResourceRecord[], onDone: () => void) => {
    const calls = callOfMany(action);
    if (!calls.confirm) return void run(calls, records, onDone);
    const { label: title } = action;
    openDialog({ kind: 'question', title, question: calls.confirm, run: () => run(calls, records, onDone) });
  };
  return { call, isBusy };
}
