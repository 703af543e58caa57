import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { createsRecord, type FormMode } from '../../engine/forms/form-fields';
import { usePage } from '../layout/page';
import { ApiError } from '../session/apiError';
import { FailedState } from '../states/FailedState';
import { FormScreen } from './FormScreen';
import { FormSkeleton } from '../form/FormSkeleton';
import { preloadForm } from '../form/ObjectTemplate';
import { formTitle } from '../form/formTexts';
import { NewRecordBase, StoredRecordBase, useCreateRecord, useEditRecord } from '../form/RecordBase';
import { lazyComponent } from '../states/lazyComponent';

const MissingRecordScreen = lazyComponent(() =>
  import('../states/MissingRecord').then((part) => ({ default: part.MissingRecordScreen })),
);

export interface ResourceFormProps {
  definition: Definition;
  mode: FormMode;
  /** The record to show, change or copy. */
  id?: string;
}

/** The form of any definition as a page: for a new record, a copy, or a stored record to edit or view. */
export function ResourceForm({ definition, mode, id }: ResourceFormProps) {
  const location = useLocation() as { state: { record?: ResourceRecord } | null };
  if (id === undefined)
    return <NewForm definition={definition} mode={mode} record={location.state?.record ?? emptyRecord} />;
  return (
    <StoredRecordBase definition={definition} id={id}>
      <StoredForm definition={definition} mode={mode} />
    </StoredRecordBase>
  );
}

const emptyRecord: ResourceRecord = {};

type NewFormProps = Omit<ResourceFormProps, 'id'> & { record: ResourceRecord };

function NewForm(props: NewFormProps) {
  return (
    <NewRecordBase definition={props.definition}>
      <CreateForm {...props} />
    </NewRecordBase>
  );
}

function CreateForm(props: NewFormProps) {
  return <FormScreen {...props} send={useCreateRecord(props.definition)} />;
}

function StoredForm({ definition, mode }: Omit<ResourceFormProps, 'id'>) {
  const { record, isFetching, error, send, reload } = useEditRecord();
  useEffect(() => void preloadForm(definition), [definition]);
  // The cache may hold a shorter version from a list. Wait for the complete record, then keep it.
  const [first, setFirst] = useState<ResourceRecord>();
  if (!first && record && !isFetching) setFirst(record);
  if (first && createsRecord(mode)) return <NewForm definition={definition} mode={mode} record={first} />;
  const isMissing = error instanceof ApiError && error.status === 404;
  if (!first && isMissing && !isFetching) return <MissingRecordScreen definition={definition} />;
  if (first)
    return <FormScreen {...{ definition, mode, send, reload, isDeleted: isMissing }} record={first} latest={record} />;
  return (
    <FormLoading definition={definition} mode={mode} error={isFetching ? null : error} onRetry={() => void reload()} />
  );
}

interface FormLoadingProps {
  definition: Definition;
  mode: FormMode;
  error: Error | null;
  onRetry: () => void;
}

function FormLoading({ definition, mode, error, onRetry }: FormLoadingProps) {
  const { labels, name } = definition;
  usePage({ title: formTitle(definition, mode, false), back: { to: `/${name}`, label: labels.many } });
  const listLink = { to: `/${name}`, label: `All ${labels.many.toLowerCase()}` };
  if (!error) return <FormSkeleton {...{ definition, mode }} />;
  return (
    <FailedState title={`${labels.one} could not be loaded`} message={error.message} {...{ onRetry, link: listLink }} />
  );
}
