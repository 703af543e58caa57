import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import { useEffect, useRef, useState } from 'react';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { isGranted } from '../../../engine/access/access-decision';
import { copyOfRecord } from '../../../engine/forms/new-record';
import { isArchived } from '../../../engine/lists/row-actions';
import { recordsAllowedInBulk } from '../../../engine/lists/bulk';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { formatNumber } from '../../../engine/formats/numbers';
import { fieldOf } from '../../../engine/definitions/accessors';
import { requireValue } from '../../../engine/values/lookups';
import { reportError } from '../../data/ErrorToasts';
import { offerUndo } from '../../commands/undo';
import { useChangeToast } from '../../commands/useChangeToast';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { deleteWithSuccessor, type Unchanged } from '../../actions/handover/deleteRecord';
import { UnchangedDialog } from '../../actions/handover/UnchangedDialog';
import { BulkDeleteDialog } from './BulkDeleteDialog';
import { BulkEditForm } from './BulkEditForm';
import { BulkRequestDialog } from './BulkRequestDialog';
import { BulkProgress } from './BulkProgress';
import { sendRequest } from '../../actions/sendRequest';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';
import { runBulk, type BulkChange, type BulkResult } from './runBulk';

interface BulkDialogProps {
  definition: Definition;
  change: BulkChange;
  fields: readonly Field[];
  /** The field that is asked for first. */
  first?: Field;
  records: readonly RaRecord[];
  onClose: () => void;
  /** Called with the records that failed, which stay selected. */
  onDone: (failed: RaRecord[]) => void;
}

/** One confirmation for all selected records, then progress, then the result. */
export function BulkDialog({ definition, change, fields, first, records, onClose, onDone }: BulkDialogProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const sayChanged = useChangeToast();
  const ask = useApi();
  const [processedCount, setProcessedCount] = useState<number | null>(null);
  const [count, setCount] = useState(0);
  const [result, setResult] = useState<BulkResult | null>(null);
  const [isOffline, setOffline] = useState(false);
  const [left, setLeft] = useState<Unchanged>();
  const unchangedTotal = useRef<Unchanged>({ count: 0, records: [] });
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { name, toasts, labels } = definition;

  const run = async (
    allowedRecords: readonly RaRecord[],
    task: (record: RaRecord) => Promise<unknown>,
    toast: string,
    undo?: false | ((changed: readonly RaRecord[]) => { label: string; run: () => void }),
  ) => {
    setCount(allowedRecords.length);
    setProcessedCount(0);
    const { signal } = (stop.current = new AbortController());
    const onProgress = (now: number) => {
      setProcessedCount(now);
      setOffline(false);
    };
    const outcome = await runBulk(allowedRecords, task, { onProgress, onLost: () => setOffline(true) }, signal);
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'getList' });
    const failed = new Set(outcome.failures.map(({ record }) => record));
    const changedRecords = allowedRecords
      .slice(0, allowedRecords.length - outcome.left)
      .filter((record) => !failed.has(record));
    const undoOffer = undo && changedRecords.length > 0 && undo(changedRecords);
    if (outcome.failures.length > 0 || outcome.left > 0) {
      // The result takes the place of the toast.
      if (undoOffer) offerUndo(undoOffer.label, undoOffer.run);
      return setResult(outcome);
    }
    if (undoOffer) sayChanged(toast, undoOffer.run, undoOffer.label);
    else sayChanged(toast);
    if (unchangedTotal.current.count > 0) return setLeft(unchangedTotal.current);
    onClose();
    onDone([]);
  };
  const countOf = ({ length }: readonly RaRecord[]) =>
    `${formatNumber(length)} ${(length === 1 ? labels.one : labels.many).toLowerCase()}`;
  const remove = (allowedRecords: readonly RaRecord[], successor: number | undefined) =>
    run(
      allowedRecords,
      async (record) => {
        if (successor === undefined) return dataProvider.delete(name, { id: record.id, previousData: record });
        const { count: addedCount, records: addedRecords } = await deleteWithSuccessor(name, record.id, successor, ask);
        const { count: earlierCount, records: earlierRecords } = unchangedTotal.current;
        unchangedTotal.current = { count: earlierCount + addedCount, records: [...earlierRecords, ...addedRecords] };
        return undefined;
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
  const takeBack = async (
    changedRecords: readonly RaRecord[],
    task: (record: RaRecord) => Promise<unknown>,
    resultWords = 'changed back',
  ) => {
    const silent = { onProgress: () => {}, onLost: () => {} };
    const { doneCount, failures } = await runBulk(changedRecords, task, silent, new AbortController().signal);
    await refreshAfterSaving(queryClient, name);
    const [failed] = failures;
    if (failed)
      reportError(new Error(`${formatNumber(failures.length)} could not be ${resultWords}: ${failed.message}`));
    if (doneCount > 0) sayChanged(`${formatNumber(doneCount)} ${resultWords}`);
  };

  if (left) {
    return (
      <UnchangedDialog
        unchangedRecords={left}
        onClose={() => {
          onClose();
          onDone([]);
        }}
      />
    );
  }
  if (processedCount !== null) {
    return (
      <BulkProgress
        {...{ definition, change, count, processedCount, isConnectionLost: isOffline, result }}
        onStop={() => stop.current?.abort()}
        onClose={() => {
          onClose();
          onDone(result?.failures.map(({ record }) => record) ?? []);
        }}
      />
    );
  }
  if (change === 'delete') {
    const allowedRecords = recordsAllowedInBulk(definition, actor, records, 'delete', evaluationContext) as RaRecord[];
    return (
      <BulkDeleteDialog
        {...{ definition, records, allowedRecords }}
        onConfirm={(successor) => void remove(allowedRecords, successor)}
        onClose={onClose}
      />
    );
  }
  if (change === 'copy') {
    const allowedRecords = records.filter((record) => !isArchived(record));
    const { field: copiedField, suffix } = requireValue(definition.copy, `copy of ${definition.name}`);
    return (
      <ConfirmDialog
        open
        title={`Copy ${countOf(allowedRecords)}?`}
        question={`The ${fieldOf(definition, copiedField).label.toLowerCase()} of each copy ends with “${suffix.trim()}”.`}
        confirmLabel="Copy"
        onConfirm={() => void copy(allowedRecords)}
        onClose={onClose}
      />
    );
  }
  if (change !== 'edit') {
    const allowedRecords = recordsAllowedInBulk(definition, actor, records, change, evaluationContext) as RaRecord[];
    const make = (values: ResourceRecord) =>
      run(allowedRecords, (record) => sendRequest(definition, change, record, values, ask), change.toast);
    return (
      <BulkRequestDialog
        {...{ definition, request: change, records, allowedRecords }}
        onConfirm={(values) => void make(values)}
        onClose={onClose}
      />
    );
  }
  return (
    <BulkEditForm
      {...{ definition, fields, first, records }}
      onSave={(values) => {
        const changedFields = fields.filter((field) => field.name in values);
        void edit(
          recordsAllowedInBulk(definition, actor, records, changedFields, evaluationContext) as RaRecord[],
          values,
        );
      }}
      onClose={onClose}
    />
  );
}

/** A listed value as it is written: of related records, which lists may have with their titles, the ids. */
function storedValue(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null;
  return value.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : entry,
  );
}
