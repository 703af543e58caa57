import { skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { FormSkeleton } from '../../form/FormSkeleton';
import { formTitle } from '../../form/formTexts';
import { RecordForm } from '../../form/RecordForm';
import { SaveBar } from '../../form/SaveBar';
import { FormTabs } from '../../record/tabs/FormTabs';
import { useResourceForm } from '../../form/useResourceForm';
import { useSaving } from '../../form/useSaving';
import { EmptyState } from '../../states/EmptyState';
import { decideAccess } from '../../../engine/access/access-decision';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { createsRecord, type FormMode } from '../../../engine/forms/form-fields';
import { NotAllowed } from './NotAllowed';
import type { PreviewServer } from './previewServer';
import type { PreviewWorld } from './previewWorld';
import * as styles from './preview.module.css';
import { studioOf } from '../../fields/studio';

const day = 86_400_000;

/** A made-up record, to preview the form of a module without records. */
export function sampleRecord(definition: Definition, now = Date.now()): ResourceRecord {
  const tomorrow = new Date(now + day).toISOString();
  const values = Object.values(definition.fields).map((field) => {
    const isMade = field.computed === undefined && field.to === undefined && !field.secret;
    return [field.name, isMade ? (studioOf(field).sample?.(field, tomorrow) ?? null) : null] as const;
  });
  return { ...Object.fromEntries(values), id: 1, created_at: new Date(now).toISOString() };
}

/** The mode and the record of the form. */
export interface ShownForm {
  readonly mode: FormMode;
  /** Id of the record; default: the first one of the list. */
  readonly id?: string;
}

interface FormCardProps {
  world: PreviewWorld;
  server: PreviewServer;
  form: ShownForm;
  onShow: (shown: ShownForm) => void;
}

/** The form of the draft, for a stored or a new record. */
export function FormCard({ world, server, form, onShow }: FormCardProps) {
  const { definition, actor } = world;
  const { mode } = form;
  const isPermitted = (action: 'create' | 'view' | 'edit') => decideAccess(actor, definition, action).allowed;
  const mayShow = createsRecord(mode) ? isPermitted('create') : isPermitted('view') || isPermitted('edit');
  const otherMode = createsRecord(mode) ? 'edit' : 'create';
  const renderMode = (nextMode: FormMode) => (
    <button
      type="button"
      aria-pressed={nextMode === mode}
      onClick={() => nextMode !== mode && onShow({ mode: nextMode })}
    >
      {formTitle(definition, nextMode, false)}
    </button>
  );
  return (
    <section className={`${styles.previewCard} ${styles.previewForm}`} aria-label="Form">
      <header>
        <h3>Form</h3>
        <span className={styles.previewWays} role="group" aria-label="Which form">
          {createsRecord(otherMode) ? renderMode(mode) : renderMode(otherMode)}
          {createsRecord(otherMode) ? renderMode(otherMode) : renderMode(mode)}
        </span>
      </header>
      {!mayShow ? (
        <NotAllowed definition={definition} action={createsRecord(mode) ? 'create' : 'view'} />
      ) : mode === 'create' ? (
        <DraftForm key="create" {...{ definition, mode, server }} record={emptyRecord} />
      ) : (
        <StoredForm {...{ world, server, mode }} id={form.id} />
      )}
    </section>
  );
}

const emptyRecord: ResourceRecord = {};

function StoredForm({ world, server, mode, id }: Pick<FormCardProps, 'world' | 'server'> & ShownForm) {
  const { definition } = world;
  const { data: first, error: listError } = useFirstId(definition);
  // After a change of role, the open record may no longer be visible.
  const openRecord = useStoredRecord(definition, id);
  const currentId = id !== undefined && !openRecord.error ? id : first;
  const { data, error = listError } = useStoredRecord(definition, currentId);
  const sample = useMemo(() => (currentId === '' ? sampleRecord(definition) : undefined), [currentId, definition]);
  const record = sample ?? data;
  if (!record && error) return <EmptyState title="Nothing to open" sentence={error.message} />;
  if (!record) return <FormSkeleton definition={definition} />;
  const form = (
    <DraftForm
      key={`${mode}/${currentId || 'sample'}/${world.actor.role_id}`}
      {...{ definition, mode, server, record }}
    />
  );
  if (createsRecord(mode) || sample) return form;
  return (
    <FormTabs definition={definition} record={record}>
      {form}
    </FormTabs>
  );
}

/** The id of the first record that the viewer may list; empty if there is none. */
function useFirstId(definition: Definition) {
  const dataProvider = useDataProvider();
  const { name, list } = definition;
  return useQuery({
    queryKey: [name, 'getList', 'first', list.sort],
    queryFn: async ({ signal }) => {
      const pagination = { page: 1, perPage: 1 };
      const page = await dataProvider.getList<RaRecord>(name, {
        pagination,
        sort: { ...list.sort },
        filter: {},
        signal,
      });
      return String(page.data[0]?.id ?? '');
    },
    ...quiet,
  });
}

function useStoredRecord({ name }: Definition, id: string | undefined) {
  const dataProvider = useDataProvider();
  return useQuery({
    queryKey: [name, 'getOne', 'preview', id],
    queryFn: id ? async () => (await dataProvider.getOne<RaRecord>(name, { id })).data as ResourceRecord : skipToken,
    ...quiet,
  });
}

const quiet = { staleTime: Infinity, retry: false, meta: { quiet: true } } as const;

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
    <RecordForm form={calm} alert={alert} onSave={save}>
      <SaveBar
        errorCount={form.wrong}
        dirty={form.form.dirty}
        saving={saving}
        readOnly={form.shape.readOnly}
        onCancel={() => form.restart(record)}
      />
    </RecordForm>
  );
}
