import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, useNotify, type RaRecord } from 'react-admin';
import { useEffect, useRef, useState } from 'react';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import { recordsAllowedInBulk } from '../../../engine/lists/bulk';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { useEvaluationContext } from '../../admin/useEvaluationContext';
import { BulkDeleteDialog } from './BulkDeleteDialog';
import { BulkEditForm } from './BulkEditForm';
import { BulkRequestDialog } from './BulkRequestDialog';
import { BulkProgress } from './BulkProgress';
import { sendRequest } from '../../requests/sendRequest';
import { useApi } from '../../session/apiClient';
import { runBulk, type BulkChange, type BulkResult } from './runBulk';

interface BulkDialogProps {
  definition: Definition;
  change: BulkChange;
  fields: readonly Field[];
  records: readonly RaRecord[];
  onClose: () => void;
  /** Called with the records that failed, which stay selected. */
  onDone: (failed: RaRecord[]) => void;
}

/** One confirmation for all selected records, then progress, then the result. */
export function BulkDialog({ definition, change, fields, records, onClose, onDone }: BulkDialogProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const ask = useApi();
  const [through, setThrough] = useState<number | null>(null);
  const [count, setCount] = useState(0);
  const [result, setResult] = useState<BulkResult | null>(null);
  const [lost, setLost] = useState(false);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { name, toasts } = definition;

  const run = async (allowed: readonly RaRecord[], task: (record: RaRecord) => Promise<unknown>, toast: string) => {
    setCount(allowed.length);
    setThrough(0);
    const { signal } = (stop.current = new AbortController());
    const onProgress = (now: number) => {
      setThrough(now);
      setLost(false);
    };
    const outcome = await runBulk(allowed, task, { onProgress, onLost: () => setLost(true) }, signal);
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'getList' });
    if (outcome.failures.length > 0 || outcome.left > 0) return setResult(outcome);
    notify(toast, { type: 'success' });
    onClose();
    onDone([]);
  };
  const remove = (allowed: readonly RaRecord[]) =>
    run(allowed, (record) => dataProvider.delete(name, { id: record.id, previousData: record }), toasts.deleted);
  const edit = (allowed: readonly RaRecord[], data: ResourceRecord) =>
    run(allowed, (record) => dataProvider.update(name, { id: record.id, data, previousData: record }), toasts.updated);

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
        onConfirm={() => void remove(allowed)}
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
      {...{ definition, fields, records }}
      onSave={(values) => {
        const changed = fields.filter((field) => field.name in values);
        void edit(recordsAllowedInBulk(definition, actor, records, changed, evaluationContext) as RaRecord[], values);
      }}
      onClose={onClose}
    />
  );
}
