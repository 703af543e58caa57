import { useState } from 'react';
import { reportError } from '../../data/ErrorToasts';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import type { InputProps } from '../fieldType';

/** The current token of a record's link, with functions to renew and revoke it. */
export function useSharing({ field, value, owner }: Pick<InputProps, 'field' | 'value' | 'owner'>) {
  const ask = useApi();
  const [isBusy, setBusy] = useState(false);
  // The result of an action here is valid until the form gets another version of the record.
  const [result, setResult] = useState<{ previousToken: unknown; token: unknown }>();
  const token = result && result.previousToken === value ? result.token : value;
  const call = async (method: 'POST' | 'DELETE') => {
    if (!owner || isBusy) return;
    setBusy(true);
    try {
      const path = `/${owner.resource}/${encodeURIComponent(owner.id)}/share`;
      const answer = await fetchApi<Record<string, unknown>>(path, { method }, ask);
      const record = (Object.keys(answer).length === 1 && 'data' in answer ? answer.data : answer) as typeof answer;
      setResult({ previousToken: value, token: record[field.name] ?? null });
    } catch (error) {
      reportError(error as Error);
    } finally {
      setBusy(false);
    }
  };
  return { token, busy: isBusy, renew: () => call('POST'), revoke: () => call('DELETE') };
}
