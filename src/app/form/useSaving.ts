import { useRef, useState } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { isNew } from '../../engine/forms/form-fields';
import { reportError } from '../admin/ErrorToasts';
import { ApiError, endsSession } from '../session/apiError';
import { payloadOf } from './payload';
import type { ResourceFormState } from './useResourceForm';

/** Sends the values; answers the record as it was stored. Throws ApiError. */
export type Send = (values: ResourceRecord) => Promise<ResourceRecord>;

export interface SavingOptions {
  form: ResourceFormState;
  send: Send;
  /** Reads the stored record anew. */
  reload?: () => Promise<ResourceRecord | undefined>;
  onSaved: (record: ResourceRecord) => void;
}

/** Another's version that came between. */
export interface Stale {
  record: ResourceRecord;
  /** By whom and when, in the server's words. */
  message: string;
}

const noAnswer = 'No answer came from the server: what you saved may or may not be stored.';

/** Whether nobody knows if the values are stored. */
function isUnknown(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.code === 'OUTCOME_UNKNOWN');
}

/** Saves a form, once at a time, and brings what the server refuses to where it belongs. */
export function useSaving({ form, send, reload, onSaved }: SavingOptions) {
  const [saving, setSaving] = useState(false);
  const busy = useRef(false);
  const [alert, setAlert] = useState<readonly string[]>([]);
  const [unsure, setUnsure] = useState<string | null>(null);
  const [stale, setStale] = useState<Stale | null>(null);

  const save = async () => {
    if (busy.current || form.shape.readOnly) return;
    busy.current = true;
    setSaving(true);
    setAlert([]);
    setUnsure(null);
    try {
      onSaved(await send(payloadOf(form)));
    } catch (error) {
      await refused(error);
    } finally {
      busy.current = false;
      setSaving(false);
    }
  };

  const refused = async (error: unknown) => {
    if (endsSession(error)) return;
    if (isUnknown(error)) return setUnsure(error.status === 0 ? noAnswer : error.message);
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500 || error.status === 429) {
      reportError(error instanceof Error ? error : new Error(String(error)));
    } else if (error.status === 422) {
      showRefused(error);
    } else if (error.status === 409 && !isNew(form.model.mode)) {
      const newer = await reload?.().catch(() => undefined);
      if (newer && newer.updated_at !== form.form.record.updated_at)
        setStale({ record: newer, message: error.message });
      else setAlert([error.message]);
    } else {
      setAlert([error.message]);
    }
  };

  const showRefused = (error: ApiError) => {
    const shown = (name: string) => form.states[name]?.visible === true;
    const entries = Object.entries(error.errors);
    form.refuse(Object.fromEntries(entries.filter(([name]) => shown(name))));
    const others = entries.filter(([name]) => !shown(name)).map(([, message]) => message);
    setAlert(entries.length === 0 ? [error.message] : others);
  };

  return { save, saving, alert, unsure, stale, settle: () => setStale(null) };
}
