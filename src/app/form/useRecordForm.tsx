import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';
import { RecordForm } from './RecordForm';
import { refreshAfterSaving } from './refreshAfterSaving';
import { useConcurrentChanges } from './useConcurrentChanges';
import { useResourceForm, type ResourceFormState } from './useResourceForm';
import { useSavedToast } from './useSavedToast';
import { useSaving, type SaveRecord } from './useSaving';

/** What a form is for, independent of where it is shown. */
export interface FormSource {
  definition: Definition;
  mode: FormMode;
  /** The initial record: the stored one, or the initial values of a new one. */
  record: ResourceRecord;
  send: SaveRecord;
  reload?: () => Promise<ResourceRecord | undefined>;
  /** The stored record as last read, which may be newer than the initial one. */
  latest?: ResourceRecord;
  /** The stored record was deleted in the meantime. */
  gone?: boolean;
}

interface FormPlacement {
  /** The prefix of its inputs' ids. */
  idPrefix: string;
  /** Fields with fixed values. */
  fixed?: readonly string[];
  /** Called after the record was saved, the toast shown and lists invalidated. */
  onSaved: (saved: ResourceRecord, form: ResourceFormState) => void;
}

/** A form that saves its values and follows changes of its record; `fields` renders it with the given bar below. */
export function useRecordForm(
  { definition, mode, record, send, reload, latest, gone }: FormSource,
  { idPrefix, fixed, onSaved }: FormPlacement,
) {
  const form = useResourceForm(definition, mode, record, idPrefix, fixed);
  const notifySaved = useSavedToast(definition, mode);
  const queryClient = useQueryClient();
  const saved = (stored: ResourceRecord) => {
    notifySaved(stored);
    void refreshAfterSaving(queryClient, definition.name);
    onSaved(stored, form);
  };
  const { save, saving, alert, unsure, stale, settle } = useSaving({ form, send, reload, onSaved: saved });
  const { dialog, top } = useConcurrentChanges({ form, saving, stale, settle, latest, gone });
  const fields = (bar: ReactNode) => (
    <RecordForm form={form} alert={alert} unsure={unsure} onSave={() => void save()} top={top}>
      {bar}
    </RecordForm>
  );
  return { form, saving, fields, dialog };
}
