import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, type RaRecord } from 'react-admin';
import { useEffect, useRef, useState } from 'react';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { isGranted } from '../../../engine/access/access-decision';
import { copyOfRecord } from '../../../engine/forms/new-record';
import { isArchived } from '../../../engine/lists/row-actions';
import { recordsAllowedInBulk } from '../../../engine/lists/bulk';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useEvaluationContext } from '../../admin/useEvaluationContext';
import { formatNumber } from '../../../engine/formats/numbers';
import { reportError } from '../../admin/ErrorToasts';
import { offerUndo } from '../../commands/undo';
import { useChangeToast } from '../../commands/useChangeToast';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { refreshAfterSaving } from '../../form/refreshAfterSaving';
import { deleteWithSuccessor, type Unchanged } from '../handover/deleteRecord';
import { UnchangedDialog } from '../handover/UnchangedDialog';
import { BulkDeleteDialog } from './BulkDeleteDialog';
import { BulkEditForm } from './BulkEditForm';
import { BulkRequestDialog } from './BulkRequestDialog';
import { BulkProgress } from './BulkProgress';
import { sendRequest } from '../../requests/sendRequest';
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
  const [through, setThrough] = useState<number | null>(null);
  const [count, setCount] = useState(0);
  const [result, setResult] = useState<BulkResult | null>(null);
  const [lost, setLost] = useState(false);
  const [left, setLeft] = useState<Unchanged>();
  const unchanged = useRef<Unchanged>({ count: 0, records: [] });
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { name, toasts, labels } = definition;

  const run = async (
    allowed: readonly RaRecord[],
    task: (record: RaRecord) => Promise<unknown>,
    toast: string,
    undo?: false | ((changed: readonly RaRecord[]) => { label: string; run: () => void }),
  ) => {
    setCount(allowed.length);
    setThrough(0);
    const { signal } = (stop.current = new AbortController());
    const onProgress = (now: number) => {
      setThrough(now);
      setLost(false);
    };
    const outcome = await runBulk(allowed, task, { onProgress, onLost: () => setLost(true) }, signal);
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'getList' });
    const failed = new Set(outcome.failures.map(({ record }) => record));
    const changed = allowed.slice(0, allowed.length - outcome.left).filter((record) => !failed.has(record));
    const offered = undo && changed.length > 0 && undo(changed);
    if (outcome.failures.length > 0 || outcome.left > 0) {
      // The result takes the place of the toast.
      if (offered) offerUndo(offered.label, offered.run);
      return setResult(outcome);
    }
    if (offered) sayChanged(toast, offered.run, offered.label);
    else sayChanged(toast);
    if (unchanged.current.count > 0) return setLeft(unchanged.current);
    onClose();
    onDone([]);
  };
  const countOf = ({ length }: readonly RaRecord[]) =>
    `${formatNumber(length)} ${(length === 1 ? labels.one : labels.many).toLowerCase()}`;
  const remove = (allowed: readonly RaRecord[], successor: number | undefined) =>
    run(
      allowed,
      async (record) => {
        if (successor === undefined) return dataProvider.delete(name, { id: record.id, previousData: record });
        const { count: more, records: further } = await deleteWithSuccessor(name, record.id, successor, ask);
        const { count: before, records: earlier } = unchanged.current;
        unchanged.current = { count: before + more, records: [...earlier, ...further] };
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
    const { undoDelete } = await import('../undoDelete');
    await undoDelete(definition, deleted, { ask, sayChanged, queryClient });
  };
  const copy = (allowed: readonly RaRecord[]) => {
    const made: RaRecord[] = [];
    return run(
      allowed,
      async (record) => {
        // A list has some of a record's fields.
        const { data: whole } = await dataProvider.getOne<RaRecord>(name, { id: record.id });
        const data = copyOfRecord(definition, whole, actor, evaluationContext);
        made.push((await dataProvider.create<RaRecord>(name, { data })).data);
      },
      toasts.copied,
      isGranted(actor, name, 'delete') &&
        ((copied) => ({
          label: `${countOf(copied)} copied`,
          run: () =>
            void takeBack(
              made,
              (record) => dataProvider.delete(name, { id: record.id, previousData: record }),
              'deleted',
            ),
        })),
    );
  };
  const edit = (allowed: readonly RaRecord[], data: ResourceRecord) => {
    const versions = new Map<RaRecord['id'], unknown>();
    const what = fields.flatMap((field) => (field.name in data ? [field.label] : [])).join(', ');
    // What somebody changed since is not overwritten.
    const reset = (record: RaRecord) => {
      const before = Object.fromEntries(Object.keys(data).map((one) => [one, storedValue(record[one])]));
      const values = { ...before, updated_at: versions.get(record.id) };
      return dataProvider.update(name, { id: record.id, data: values, previousData: record });
    };
    return run(
      allowed,
      async (record) => {
        const answer = await dataProvider.update<RaRecord>(name, { id: record.id, data, previousData: record });
        versions.set(record.id, answer.data.updated_at);
      },
      toasts.updated,
      (changed) => ({
        label: `${what} of ${countOf(changed)} changed`,
        run: () => void takeBack(changed, reset),
      }),
    );
  };
  const takeBack = async (
    changed: readonly RaRecord[],
    task: (record: RaRecord) => Promise<unknown>,
    what = 'changed back',
  ) => {
    const silent = { onProgress: () => {}, onLost: () => {} };
    const { done, failures } = await runBulk(changed, task, silent, new AbortController().signal);
    await refreshAfterSaving(queryClient, name);
    const [failed] = failures;
    if (failed) reportError(new Error(`${formatNumber(failures.length)} could not be ${what}: ${failed.message}`));
    if (done > 0) sayChanged(`${formatNumber(done)} ${what}`);
  };

  if (left) {
    return (
      <UnchangedDialog
        unchanged={left}
        onClose={() => {
          onClose();
          onDone([]);
        }}
      />
    );
  }
  if (through !== null) {
    return (
      <BulkProgress
        {...{ definition, change, count, through, lost, result }}
        onStop={() => stop.current?.abort()}
        onClose={() => {
          onClose();
          onDone(result?.failures.map(({ record }) => record) ?? []);
        }}
      />
    );
  }
  if (change === 'delete') {
    const allowed = recordsAllowedInBulk(definition, actor, records, 'delete', evaluationContext) as RaRecord[];
    return (
      <BulkDeleteDialog
        {...{ definition, records, allowed }}
        onConfirm={(successor) => void remove(allowed, successor)}
        onClose={onClose}
      />
    );
  }
  if (change === 'copy') {
    const allowed = records.filter((record) => !isArchived(record));
    const field = definition.fields[definition.copy!.field]!;
    return (
      <ConfirmDialog
        open
        title={`Copy ${countOf(allowed)}?`}
        question={`The ${field.label.toLowerCase()} of each copy ends with “${definition.copy!.suffix.trim()}”.`}
        confirmLabel="Copy"
        onConfirm={() => void copy(allowed)}
        onClose={onClose}
      />
    );
  }
  if (change !== 'edit') {
    const allowed = recordsAllowedInBulk(definition, actor, records, change, evaluationContext) as RaRecord[];
    const make = (values: ResourceRecord) =>
      run(allowed, (record) => sendRequest(definition, change, record, values, ask), change.toast);
    return (
      <BulkRequestDialog
        {...{ definition, request: change, records, allowed }}
        onConfirm={(values) => void make(values)}
        onClose={onClose}
      />
    );
  }
  return (
    <BulkEditForm
      {...{ definition, fields, first, records }}
      onSave={(values) => {
        const changed = fields.filter((field) => field.name in values);
        void edit(recordsAllowedInBulk(definition, actor, records, changed, evaluationContext) as RaRecord[], values);
      }}
      onClose={onClose}
    />
  );
}

/** A listed value as it is written: of related records, which lists may have with their titles, the ids. */
function storedValue(value: unknown): unknown {
  if (!Array.isArray(value)) return value ?? null;
  return value.map((one: unknown) => (typeof one === 'object' && one !== null && 'id' in one ? one.id : one));
}
