import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';
import { redirectAfter } from '../../engine/forms/redirect';
import { titleOf } from '../chips/titleOf';
import { usePage } from '../layout/page';
import { formTitle, savedMessage } from './formWords';
import { LeaveGuard } from './LeaveGuard';
import { RecordForm } from './RecordForm';
import { refreshAfterSaving } from './refreshAfterSaving';
import { SaveBar } from './SaveBar';
import { useResourceForm } from './useResourceForm';
import { useSaving, type Send } from './useSaving';
import { useStale } from './useStale';

export interface FormScreenProps {
  definition: Definition;
  mode: FormMode;
  /** What the form begins with: the stored record, or what a new one starts from. */
  record: ResourceRecord;
  send: Send;
  reload?: () => Promise<ResourceRecord | undefined>;
}

/** A form as a page of its own: title, fields, bar, and the way back to the list. */
export function FormScreen({ definition, mode, record, send, reload }: FormScreenProps) {
  const form = useResourceForm(definition, mode, record, 'field');
  const navigate = useNavigate();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const list = `/${definition.name}`;
  const { dirty } = form.form;

  const guarded = useRef(false);
  useEffect(() => {
    guarded.current = dirty && !form.shape.readOnly;
  }, [dirty, form.shape.readOnly]);
  const guards = useCallback(() => guarded.current, []);
  const leave = (to: string) => {
    guarded.current = false;
    navigate(to);
  };

  const onSaved = (saved: ResourceRecord) => {
    notify(savedMessage(definition, mode), { type: 'success' });
    void refreshAfterSaving(queryClient, definition.name);
    leave(redirectAfter(definition, mode, saved, form.model.surroundings) ?? list);
  };
  const { save, saving, alert, stale, settle } = useSaving({ form, send, reload, onSaved });
  const { dialog, beside } = useStale(form, stale, settle);

  usePage({
    title: formTitle(definition, mode, form.shape.readOnly),
    note: mode === 'edit' || mode === 'view' ? titleOf(definition, form.form.record) : undefined,
    back: { to: list, label: definition.labels.many },
  });
  return (
    <>
      <RecordForm form={form} alert={alert} onSave={() => void save()} top={beside}>
        <SaveBar
          wrong={form.wrong}
          dirty={dirty}
          saving={saving}
          readOnly={form.shape.readOnly}
          onCancel={() => leave(list)}
        />
      </RecordForm>
      <LeaveGuard guards={guards} />
      {dialog}
    </>
  );
}
