import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RaRecord } from 'react-admin';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Unchanged } from '../../actions/handover/deleteRecord';
import { offerUndo } from '../../commands/undo';
import { useChangeToast } from '../../commands/useChangeToast';
import { reportError } from '../../data/ErrorToasts';
import { refreshAfterSaving } from '../../data/refreshAfterSaving';
import { runBulk, type BulkResult } from './runBulk';

/** Changes one record. */
type Task = (record: RaRecord) => Promise<unknown>;

/** How a change is taken back, in words and for the records that were changed; false: it cannot be. */
type UndoOf = false | ((changed: readonly RaRecord[]) => { label: string; run: () => void });

/** Runs a change of many records, and knows how far it is. `onSuccess` is called after one that changed all of them. */
export function useBulkRun(resource: string, onSuccess: () => void) {
  const queryClient = useQueryClient();
  const sayChanged = useChangeToast();
  const [processedCount, setProcessedCount] = useState<number | null>(null);
  const [count, setCount] = useState(0);
  const [result, setResult] = useState<BulkResult | null>(null);
  const [isConnectionLost, setConnectionLost] = useState(false);
  const [unchangedRecords, setUnchangedRecords] = useState<Unchanged>();
  const unchangedTotal = useRef<Unchanged>({ count: 0, records: [] });
  const abortController = useRef<AbortController>(null);
  useEffect(() => () => abortController.current?.abort(), []);

  /** The toast of a change that can be undone is that of its undo. */
  const run = async (allowedRecords: readonly RaRecord[], task: Task, toast: string, undo?: UndoOf) => {
    setCount(allowedRecords.length);
    setProcessedCount(0);
    const { signal } = (abortController.current = new AbortController());
    const onProgress = (now: number) => {
      setProcessedCount(now);
      setConnectionLost(false);
    };
    const outcome = await runBulk(allowedRecords, task, { onProgress, onLost: () => setConnectionLost(true) }, signal);
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
    if (unchangedTotal.current.count > 0) return setUnchangedRecords(unchangedTotal.current);
    onSuccess();
  };
  /** Runs what takes a change back, without progress. */
  const takeBack = async (changedRecords: readonly RaRecord[], task: Task, resultWords = 'changed back') => {
    const silent = { onProgress: () => {}, onLost: () => {} };
    const { doneCount, failures } = await runBulk(changedRecords, task, silent, new AbortController().signal);
    await refreshAfterSaving(queryClient, resource);
    const [failed] = failures;
    if (failed)
      reportError(new Error(`${formatNumber(failures.length)} could not be ${resultWords}: ${failed.message}`));
    if (doneCount > 0) sayChanged(`${formatNumber(doneCount)} ${resultWords}`);
  };
  return {
    run,
    takeBack,
    stop: () => abortController.current?.abort(),
    /** Adds records that a successful change leaves as they are; they are named at its end. */
    addUnchanged: ({ count: addedCount, records }: Unchanged) => {
      const { count: countBefore, records: recordsBefore } = unchangedTotal.current;
      unchangedTotal.current = { count: countBefore + addedCount, records: [...recordsBefore, ...records] };
    },
    /** Undefined until the end, and where there are none. */
    unchangedRecords,
    /** Null before the run. */
    progress: processedCount === null ? null : { count, processedCount, isConnectionLost, result },
  };
}
