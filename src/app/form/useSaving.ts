import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SaveHandlerCallbacks } from 'react-admin';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { fieldOfPlace } from '../../engine/field-types/rows';
import { createsRecord } from '../../engine/forms/form-fields';
import { reportError } from '../data/ErrorToasts';
import { ApiError, endsSession } from '../session/apiError';
import { wasNotSent, offlineSaveMessage, sendWithRetry, retryNow } from '../session/connection';
import { differingNames } from './useFormValues';
import type { ResourceFormState } from './useResourceForm';
import { changedFields, parseFormValues, takenVersions } from '../../engine/forms/form-values';
import { newRecord } from '../../engine/forms/new-record';

/** Sends the values and returns the stored record. Throws ApiError. */
export type SaveRecord = (values: ResourceRecord) => Promise<ResourceRecord>;

export interface SavingOptions {
  form: ResourceFormState;
  send: SaveRecord;
  /** Reads the stored record again. */
  reload?: () => Promise<ResourceRecord | undefined>;
  onSaved: (record: ResourceRecord) => void;
  /** The name of the change in the list of those that wait for the connection. */
  label?: string;
}

/** A version that somebody else saved in between. */
export interface StaleRecord {
  record: ResourceRecord;
  /** The author and time of the stored version, in the server's words. */
  message: string;
}

/**
 * Why a save is not finished: its outcome is unknown, the connection is lost and it will be sent again, or the server
 * is slow.
 */
export interface UnsettledSave {
  kind: 'unknown' | 'doubtful' | 'lost' | 'slow';
  reason: string;
}

const noResponseMessage = 'The server did not respond. Your changes may or may not have been saved.';
const lostConnection: UnsettledSave = { kind: 'lost', reason: offlineSaveMessage };
const slowServer: UnsettledSave = { kind: 'slow', reason: 'The server has not responded yet. Your changes are kept.' };
const uncertainSave: UnsettledSave = {
  kind: 'doubtful',
  reason:
    'The connection was lost while saving, and you changed the form since. The earlier values may already be saved: check before you save again.',
};
/** The reason for which a save that waited is given up. */
const discarded = 'discarded';
/** Milliseconds after which a save counts as slow. */
const slowAfter = 8000;

/** The values changed after a new record may have been stored. */
class UncertainSaveError extends Error {}

/** Whether it is unknown if the values were stored. */
function isOutcomeUnknown(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.code === 'OUTCOME_UNKNOWN');
}

/**
 * Saves a form, one request at a time, and shows errors where they belong. Without a connection it sends again when it
 * is back: a new record under its idempotency key, a change with the version that it is based on, so that nothing is
 * stored twice or overwrites somebody else's change.
 *
 * @example const saving = useSaving({ form, send, reload, onSaved });
 */
export function useSaving({ form, send, reload, onSaved, label = 'A form' }: SavingOptions) {
  const [saving, setSaving] = useState(false);
  const isBusy = useRef(false);
  const [alert, setAlert] = useState<readonly string[]>([]);
  const [unsettledSave, setUnsettledSave] = useState<UnsettledSave | null>(null);
  const [stale, setStale] = useState<StaleRecord | null>(null);

  const latest = useRef(form);
  useLayoutEffect(() => {
    latest.current = form;
  });
  const end = useRef<AbortController>(null);
  useEffect(() => () => end.current?.abort(), []);

  const save = async ({ onSuccess, onError }: SaveHandlerCallbacks = {}) => {
    if (isBusy.current) return retryNow();
    if (form.shape.readOnly) return;
    const controller = (end.current = new AbortController());
    isBusy.current = true;
    setSaving(true);
    setAlert([]);
    setUnsettledSave(null);
    const slowTimer = setTimeout(() => setUnsettledSave((now) => now ?? slowServer), slowAfter);
    try {
      const storedRecord = await sendWithRetry(
        createSender(send, () => latest.current),
        () => setUnsettledSave(lostConnection),
        controller.signal,
        { label, discard: () => controller.abort(discarded) },
      );
      setUnsettledSave(null);
      onSaved(storedRecord);
      onSuccess?.(storedRecord, undefined, undefined);
    } catch (error) {
      setUnsettledSave(null);
      // The form keeps what was entered. A request that was under way may have arrived.
      if (controller.signal.reason !== discarded || !wasNotSent(error)) await handleRefusal(error);
      onError?.(error as Error);
    } finally {
      clearTimeout(slowTimer);
      isBusy.current = false;
      setSaving(false);
    }
  };

  const handleRefusal = async (error: unknown) => {
    if (endsSession(error)) return;
    if (error instanceof UncertainSaveError) return setUnsettledSave(uncertainSave);
    if (isOutcomeUnknown(error))
      return setUnsettledSave({ kind: 'unknown', reason: error.status === 0 ? noResponseMessage : error.message });
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500 || error.status === 429) {
      reportError(error instanceof Error ? error : new Error(String(error)));
    } else if (error.status === 422) {
      showRefused(error);
    } else if (error.status === 409 && !createsRecord(form.model.mode)) {
      const newer = await reload?.().catch(() => undefined);
      if (newer && newer.updated_at !== form.form.record.updated_at)
        setStale({ record: newer, message: error.message });
      else setAlert([error.message]);
    } else if (error.status === 403 || error.status === 404) {
      setAlert([lostAccessMessage(error, form)]);
    } else {
      setAlert([error.message]);
    }
  };

  const showRefused = (error: ApiError) => {
    const isShown = (path: string) => form.states[fieldOfPlace(path)]?.visible === true;
    const entries = Object.entries(error.errors);
    form.refuse(Object.fromEntries(entries.filter(([name]) => isShown(name))));
    const hiddenMessages = entries.filter(([name]) => !isShown(name)).map(([, message]) => message);
    setAlert(entries.length === 0 ? [error.message] : hiddenMessages);
  };

  return { save, saving, alert, unsure: unsettledSave, stale, settle: () => setStale(null) };
}

/** Says that a save was refused as its access was taken away, or its record, while the form was open. */
function lostAccessMessage({ status, message }: ApiError, { model }: ResourceFormState): string {
  const { labels } = model.definition;
  const cause =
    status === 403
      ? `You may not save this any more: ${message}`
      : createsRecord(model.mode)
        ? message
        : `${labels.one} was deleted, or you may not open it any more.`;
  return `${cause.replace(/\.$/, '')}. What you entered is still here: copy what you need before you leave.`;
}

/**
 * Sends the form's current values. A new record that may have been stored is not sent with other values, which would
 * store it a second time. Throws in that case.
 */
function createSender(send: SaveRecord, formNow: () => ResourceFormState): () => Promise<ResourceRecord> {
  let doubtful: ResourceRecord | undefined;
  return async () => {
    const form = formNow();
    const values = payloadOf(form);
    if (doubtful && createsRecord(form.model.mode) && differingNames(doubtful, values).length > 0)
      throw new UncertainSaveError();
    try {
      return await send(values);
    } catch (error) {
      if (!wasNotSent(error)) doubtful = values;
      throw error;
    }
  };
}

/**
 * The values to send: all of a new record, the changed ones of a stored record with the version that they were changed
 * from. Hidden and read-only fields are not sent.
 */
function payloadOf({ model, form, states }: ResourceFormState): ResourceRecord {
  const { fields, mode, definition } = model;
  if (createsRecord(mode)) return newRecord(definition, mode, fields, states, form.values, form.record);
  const sentFields = fields.filter(({ name }) => states[name]?.visible && !states[name].readOnly);
  const values = parseFormValues(sentFields, form.values);
  const changedValues = changedFields(sentFields, form.startValues, form.values).map(
    ({ name }) => [name, values[name]] as const,
  );
  return {
    ...Object.fromEntries(changedValues),
    ...takenVersions(sentFields, form.values),
    ...('updated_at' in form.record && { updated_at: form.record.updated_at }),
  };
}
