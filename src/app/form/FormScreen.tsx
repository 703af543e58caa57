import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { isNew, type FormMode } from '../../engine/forms/form-fields';
import { redirectAfter } from '../../engine/forms/redirect';
import { titleOf } from '../chips/titleOf';
import { usePage } from '../layout/page';
import { formTitle } from './formWords';
import { useSavedNotice } from './useSavedNotice';
import { FormActions } from './FormActions';
import { LeaveGuard } from './LeaveGuard';
import { RecordForm } from './RecordForm';
import { refreshAfterSaving } from './refreshAfterSaving';
import { SaveBar } from './SaveBar';
import { FormTabs } from './tabs/FormTabs';
import { useNewer } from './useNewer';
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
  /** The stored record as it was read last, which may be newer than what the form began with. */
  latest?: ResourceRecord;
  /** The stored record was deleted meanwhile. */
  gone?: boolean;
}

/** A form as a page of its own: title, fields, bar, and the way back to the list. */
export function FormScreen({ definition, mode, record, send, reload, latest, gone }: FormScreenProps) {
  const form = useResourceForm(definition, mode, record, 'field');
  const navigate = useNavigate();
  const say = useSavedNotice(definition, mode);
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
    say(saved);
    void refreshAfterSaving(queryClient, definition.name);
    leave(redirectAfter(definition, mode, saved, form.model.surroundings) ?? list);
  };
  const { save, saving, alert, stale, settle } = useSaving({ form, send, reload, onSaved });
  const { dialog, beside, loadTheirs, keepEditing } = useStale(form, stale, settle);
  const newer = useNewer({ form, latest, gone, busy: saving || stale !== null, loadTheirs, keepEditing });
  const isStored = !isNew(mode);
  const isOnlyViewed = mode === 'view' && form.model.access.refusal === undefined;

  usePage({
    title: formTitle(definition, mode, form.shape.readOnly),
    note: isStored ? titleOf(definition, form.form.record) : undefined,
    back: { to: list, label: definition.labels.many },
    flat: isStored && definition.form.tabs.length > 0,
  });
  const fields = (
    <RecordForm
      form={form}
      alert={alert}
      onSave={() => void save()}
      top={
        newer || beside ? (
          <>
            {newer}
            {beside}
          </>
        ) : undefined
      }
    >
      <SaveBar
        wrong={form.wrong}
        dirty={dirty}
        saving={saving}
        readOnly={form.shape.readOnly}
        onCancel={() => leave(list)}
        onEdit={isOnlyViewed ? () => leave(`${list}/${String(form.form.record.id)}`) : undefined}
      />
    </RecordForm>
  );
  return (
    <>
      {isStored ? (
        <FormTabs definition={definition} record={form.form.record}>
          {fields}
        </FormTabs>
      ) : (
        fields
      )}
      {isStored && <FormActions definition={definition} record={form.form.record} />}
      <LeaveGuard guards={guards} />
      {dialog}
    </>
  );
}
