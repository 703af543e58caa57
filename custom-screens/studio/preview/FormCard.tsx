import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { RaRecord } from 'react-admin';
import { dataProvider } from '../../../src/app/admin/dataProvider';
import { FormSkeleton } from '../../../src/app/form/FormSkeleton';
import { formTitle } from '../../../src/app/form/formWords';
import { RecordForm } from '../../../src/app/form/RecordForm';
import { SaveBar } from '../../../src/app/form/SaveBar';
import { FormTabs } from '../../../src/app/form/tabs/FormTabs';
import { useResourceForm } from '../../../src/app/form/useResourceForm';
import { useSaving } from '../../../src/app/form/useSaving';
import { EmptyState } from '../../../src/app/states/EmptyState';
import { decide } from '../../../src/engine/access/decide';
import type { Definition, ResourceRecord } from '../../../src/engine/definitions/definition';
import { isNew, type FormMode } from '../../../src/engine/forms/form-fields';
import { NotAllowed } from './NotAllowed';
import { sampleRecord } from './sample';
import type { PreviewServer } from './server';
import { answered, listed, type World } from './world';

/** The mode and the record of the form. */
export interface Shown {
  readonly mode: FormMode;
  /** Id of the record; default: the first one of the list. */
  readonly id?: string;
}

interface FormCardProps {
  world: World;
  server: PreviewServer;
  shown: Shown;
  onShow: (shown: Shown) => void;
}

/** The form of the draft, for a stored or a new record. */
export function FormCard({ world, server, shown, onShow }: FormCardProps) {
  const { definition, actor } = world;
  const { mode } = shown;
  const may = (action: 'create' | 'view' | 'edit') => decide(actor, definition, action).allowed;
  const allowed = isNew(mode) ? may('create') : may('view') || may('edit');
  const other = isNew(mode) ? 'edit' : 'create';
  const way = (to: FormMode) => (
    <button type="button" aria-pressed={to === mode} onClick={() => to !== mode && onShow({ mode: to })}>
      {formTitle(definition, to, false)}
    </button>
  );
  return (
    <section className="preview-card preview-form" aria-label="Form">
      <header>
        <h3>Form</h3>
        <span className="preview-ways" role="group" aria-label="Which form">
          {isNew(other) ? way(mode) : way(other)}
          {isNew(other) ? way(other) : way(mode)}
        </span>
      </header>
      {!allowed ? (
        <NotAllowed definition={definition} action={isNew(mode) ? 'create' : 'view'} />
      ) : mode === 'create' ? (
        <DraftForm key="create" {...{ definition, mode, server }} record={nothing} />
      ) : (
        <StoredForm {...{ world, server, mode }} id={shown.id} />
      )}
    </section>
  );
}

const nothing: ResourceRecord = {};

function StoredForm({ world, server, mode, id }: Pick<FormCardProps, 'world' | 'server'> & Shown) {
  const { definition, published, stored } = world;
  const seen = listed(world);
  // After a change of role, the open record may no longer be visible.
  const isAmong = (records: readonly ResourceRecord[]) => records.some((record) => String(record.id) === id);
  const isKept = id !== undefined && (isAmong(seen) || !isAmong(stored));
  const chosen = isKept ? id : seen[0] && String(seen[0].id);
  const isEmpty = stored.length === 0 && id === undefined;
  const sample = useMemo(() => (isEmpty ? sampleRecord(definition) : undefined), [definition, isEmpty]);
  const { data, error } = useQuery({
    queryKey: ['preview-record', definition.name, chosen],
    queryFn: async () => (await dataProvider.getOne<RaRecord>(published!.name, { id: chosen! })).data as ResourceRecord,
    enabled: published !== undefined && chosen !== undefined,
    staleTime: Infinity,
  });
  const whole = sample ?? data;
  const record = useMemo(() => sample ?? (data && answered(world, data, 'view')), [data, sample, world]);
  if ((chosen === undefined && !sample) || (whole && !record)) {
    const sentence = `This role has no access to any ${definition.labels.one.toLowerCase()}.`;
    return <EmptyState title="Nothing to open" sentence={sentence} />;
  }
  if (error) return <EmptyState title={`${definition.labels.one} could not be loaded`} sentence={error.message} />;
  if (!record) return <FormSkeleton definition={definition} />;
  const form = (
    <DraftForm key={`${mode}/${chosen ?? 'sample'}/${world.actor.role_id}`} {...{ definition, mode, server, record }} />
  );
  if (isNew(mode) || sample) return form;
  return (
    <FormTabs definition={definition} record={record}>
      {form}
    </FormTabs>
  );
}

interface DraftFormProps {
  definition: Definition;
  mode: FormMode;
  record: ResourceRecord;
  server: PreviewServer;
}

function DraftForm({ definition, mode, record, server }: DraftFormProps) {
  const form = useResourceForm(definition, mode, record, 'preview');
  const { save, saving, alert } = useSaving({ form, send: server.refuse, onSaved: () => {} });
  if (form.model.fields.length === 0)
    return <EmptyState title="No fields yet" sentence="Fields that you add to the form appear here." />;
  // No autofocus: the focus stays in the editor.
  const calm = { ...form, shape: { ...form.shape, first: undefined } };
  return (
    <RecordForm form={calm} alert={alert} onSave={() => void save()}>
      <SaveBar
        wrong={form.wrong}
        dirty={form.form.dirty}
        saving={saving}
        readOnly={form.shape.readOnly}
        onCancel={() => form.restart(record)}
      />
    </RecordForm>
  );
}
