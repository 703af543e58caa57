import { useCallback } from 'react';
import { useNotify } from 'react-admin';
import type { Call, ResourceRecord } from '../../engine/definitions/definition';
import { valuesFrom } from '../../engine/lists/presets';
import { useSurroundings } from '../admin/useSurroundings';
import { reportError } from '../admin/ErrorToasts';
import { useOpenDialog } from '../dialogs/openDialog';
import { fetchApi } from '../session/api';
import { useAsk } from '../session/ask';

interface Answer {
  status?: boolean;
  message?: string;
  data?: ResourceRecord;
}

/** Returns a function that makes a definition's call on a record and shows the result as a toast or a page. */
export function useCall(): (call: Call, record: ResourceRecord) => Promise<void> {
  const surroundings = useSurroundings();
  const notify = useNotify();
  const openDialog = useOpenDialog();
  const ask = useAsk();
  return useCallback(
    async (call, record) => {
      try {
        const path = `/${call.path.replace('{id}', encodeURIComponent(String(record.id)))}`;
        const json = valuesFrom(call.body, { ...surroundings, record });
        const { status, message = '', data } = await fetchApi<Answer>(path, { method: 'POST', json }, ask);
        if (status === false) return notify(message, { type: 'error', messageArgs: { _: message } });
        if (call.shows && data) {
          const { title, html, text } = call.shows;
          return openDialog({
            kind: 'page',
            title: String(data[title]),
            html: String(data[html]),
            text: String(data[text]),
          });
        }
        const toast = call.toast ?? message;
        if (toast) notify(toast, { type: 'success', messageArgs: { _: toast } });
      } catch (error) {
        reportError(error as Error);
      }
    },
    [surroundings, ask, notify, openDialog],
  );
}
