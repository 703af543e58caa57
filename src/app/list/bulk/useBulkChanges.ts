import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import { isGranted } from '../../../engine/access/access-decision';
import type { Definition, Field, RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { formatNumber } from '../../../engine/formats/numbers';
import { copyOfRecord } from '../../../engine/forms/new-record';
import { deleteWithSuccessor } from '../../actions/handover/deleteRecord';
import { sendRequest } from '../../actions/sendRequest';
import { useChangeToast } from '../../commands/useChangeToast';
import { useDefinitions } from '../../data/DefinitionsContext';
import { reportError } from '../../data/ErrorToasts';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import type { useBulkRun } from './useBulkRun';

/** `3 Tasks`. */
export const countedRecords = ({ labels }: Definition, { length }: readonly unknown[]) =>
  `${formatNumber(length)} ${(length === 1 ? labels.one : labels.many).toLowerCase()}`;

/** The changes of many records at once, each with what takes it back. */
export function useBulkChanges(
  definition: Definition,
  fields: readonly Field[],
  { run, takeBack, addUnchanged }: ReturnType<typeof useBulkRun>,
) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const sayChanged = useChangeToast();
  const ask = useApi();
  const { name, toasts } = definition;
  const countOf = (records: readonly RaRecord[]) => countedRecords(definition, records);

  const remove = (allowedRecords: readonly RaRecord[], successor: number | undefined) =>
    run(
      allowedRecords,
      async (record) => {
        if (successor === undefined) return dataProvider.delete(name, { id: record.id, previousData: record });
        return addUnchanged(await deleteWithSuccessor(name, record.id, successor, ask));
      },
      toasts.deleted,
      !definition.delete.final &&
        ((deleted) => ({
          label: `${countOf(deleted)} deleted`,
          run: () => void (definition.archive ? takeBack(deleted, restore) : bringBack(deleted).catch(reportError)),
        })),
    );
  const restore = (record: RaRecord) =>
    fetchApi(`/${name}/restore/${String(record.id)}`, { method: 'PATCH', json: {} }, ask);
  const bringBack = async (deleted: readonly RaRecord[]) => {
    const { undoDelete } = await import('../../actions/undoDelete');
    await undoDelete(definition, deleted, { ask, sayChanged, queryClient });
  };
  const copy = (allowedRecords: readonly RaRecord[]) => {
    const copies: RaRecord[] = [];
    return run(
      allowedRecords,
      async (record) => {
        // A list has some of a record's fields.
        const { data: fullRecord } = await dataProvider.getOne<RaRecord>(name, { id: record.id });
        const data = copyOfRecord(definition, fullRecord, actor, evaluationContext);
        copies.push((await dataProvider.create<RaRecord>(name, { data })).data);
      },
      toasts.copied,
      isGranted(actor, name, 'delete') &&
        ((copiedRecords) => ({
          label: `${countOf(copiedRecords)} copied`,
          run: () =>
            void takeBack(
              copies,
              (record) => dataProvider.delete(name, { id: record.id, previousData: record }),
              'deleted',
            ),
        })),
    );
  };
  const edit = (allowedRecords: readonly RaRecord[], data: ResourceRecord) => {
    const versions = new Map<RaRecord['id'], unknown>();
    const fieldLabels = fields.flatMap((field) => (field.name in data ? [field.label] : [])).join(', ');
    // The version makes the server refuse to overwrite a later change.
    const reset = (record: RaRecord) => {
      const previousValues = Object.fromEntries(Object.keys(data).map((key) => [key, storedValue(record[key])]));
      const values = { ...previousValues, updated_at: versions.get(record.id) };
      return dataProvider.update(name, { id: record.id, data: values, previousData: record });
    };
    return run(
      allowedRecords,
      async (record) => {
        const answer = await dataProvider.update<RaRecord>(name, { id: record.id, data, previousData: record });
        versions.set(record.id, answer.data.updated_at);
      },
      toasts.updated,
      (changedRecords) => ({
        label: `${fieldLabels} of ${countOf(changedRecords)} changed`,
        run: () => void takeBack(changedRecords, reset),
      }),
    );
  };
  const request = (allowedRecords: readonly RaRecord[], requestDefinition: RequestDefinition, values: ResourceRecord) =>
    run(
      allowedRecords,
      (record) => sendRequest(definition, requestDefinition, record, values, ask),
      requestDefinition.toast,
    );
  return { remove, copy, edit, request };
}

/** A listed value as it is written: of related records, which lists may have with their titles, the ids. */
function storedValue(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null;
  return value.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : entry,
  );
}
