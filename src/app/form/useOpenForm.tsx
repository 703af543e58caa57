import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';
import { RecordForm } from './RecordForm';
import { refreshAfterSaving } from './refreshAfterSaving';
import { useConcurrentChanges } from './useConcurrentChanges';
import { useResourceForm, type ResourceFormState } from './useResourceForm';
import { useSavedNotice } from './useSavedNotice';
import { useSaving, type Send } from './useSaving';

/** What a form is about, wherever it stands. */
export interface OpenForm {
  definition: Definition;
  mode: FormMode;
  /** What the form begins with: the stored record, or what a new one starts from. */
  record: ResourceRecord;
  send: Send;
  reload?: () => Promise<ResourceRecord | undefined>;
  /** The stored record as it was read last, which may be newer than what the form began with. */
  latest?: ResourceRecord;
  /** The stored record was deleted meanwhile. */
  gone?: boolean;
}

interface Place {
  /** Begins the ids of its inputs. */
  idPrefix: string;
  /** Fields that are given. */
  fixed?: readonly string[];
  /** The record is stored, the toast said, and lists are read anew. */
  onSaved: (saved: ResourceRecord, form: ResourceFormState) => void;
}

/** A form that sends what is typed and follows what others do to its record; `fields` puts a place's own bar below it. */
export function useOpenForm(
  { definition, mode, record, send, reload, latest, gone }: OpenForm,
  { idPrefix, fixed, onSaved }: Place,
) {
  const form = useResourceForm(definition, mode, record, idPrefix, fixed);
  const say = useSavedNotice(definition, mode);
  const queryClient = useQueryClient();
  const saved = (stored: ResourceRecord) => {
    say(stored);
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
