import Button from '@mui/material/Button';
import { useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useEffect, useId, useMemo } from 'react';
import type { Definition, Field, RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { requestBody, requestFormDefinition } from '../../../engine/forms/request-form';
import { useDefinitions } from '../../data/DefinitionsContext';
import { RecordForm } from '../../form/RecordForm';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { useConcurrentChanges } from '../../form/useConcurrentChanges';
import { useResourceForm } from '../../form/useResourceForm';
import { useSaving } from '../../form/useSaving';
import { useApi } from '../../session/apiClient';
import { sendRequest } from '../../actions/sendRequest';
import * as styles from './requests.module.css';

interface RequestFormProps {
  definition: Definition;
  request: RequestDefinition;
  /** The current stored record. */
  record: ResourceRecord;
  /** Reads the stored record again. */
  onReload: () => Promise<ResourceRecord | undefined>;
  /** Called when the form's dirty state changes. */
  onDirty: (dirty: boolean) => void;
}

/** The form of a request. After saving it is empty again, for the updated record. */
export function RequestForm({ definition, request, record, onReload, onDirty }: RequestFormProps) {
  const { registry } = useDefinitions();
  const ask = useApi();
  const formDefinition = useMemo(
    () => requestFormDefinition(definition, request, request.adds ? registry.get(request.adds.resource) : undefined),
    [definition, registry, request],
  );
  const addedResource = ({ name }: Field) => (request.adds?.fields.includes(name) ? request.adds.resource : undefined);
  const form = useResourceForm(
    formDefinition,
    'edit',
    withoutAddedValues(record, request),
    `request${useId()}`,
    noneLocked,
    addedResource,
  );
  const { dirty } = form.form;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const notify = useNotify();
  const queryClient = useQueryClient();
  const onSaved = (storedRecord: ResourceRecord) => {
    notify(request.toast, { type: 'success', messageArgs: { _: request.toast } });
    form.restart(withoutAddedValues(storedRecord, request));
    void refreshAfterSaving(queryClient, definition.name);
    if (request.adds) void refreshAfterSaving(queryClient, request.adds.resource);
  };
  const send = () =>
    sendRequest(definition, request, form.form.record, requestBody(formDefinition, form.states, form.form.values), ask);
  const reload = async () => {
    const storedRecord = await onReload();
    return storedRecord && withoutAddedValues(storedRecord, request);
  };
  const {
    save,
    saving,
    alert,
    unsure: unsettledSave,
    stale,
    settle,
  } = useSaving({
    form,
    send,
    reload,
    onSaved,
    label: request.label,
  });
  const latest = useMemo(() => withoutAddedValues(record, request), [record, request]);
  const { dialog, top } = useConcurrentChanges({ form, saving, stale, settle, latest });
  return (
    <>
      <RecordForm form={form} alert={alert} unsettledSave={unsettledSave} onSave={save} top={top}>
        {!form.shape.readOnly && (
          <div className={styles.requestSave}>
            <Button type="submit" variant="contained" size="large" aria-disabled={saving}>
              Save
            </Button>
          </div>
        )}
      </RecordForm>
      {dialog}
    </>
  );
}

const noneLocked: readonly string[] = [];

/** The record without values of the fields that the request adds. */
function withoutAddedValues(record: ResourceRecord, { adds: addition }: RequestDefinition): ResourceRecord {
  return { ...record, ...Object.fromEntries((addition?.fields ?? []).map((name) => [name, undefined])) };
}
