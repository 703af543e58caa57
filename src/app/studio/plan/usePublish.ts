import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNotify } from 'react-admin';
import type { Module, PlanStep } from '../../../engine/studio/module';
import { firstOf } from '../../../engine/values/lookups';
import { ApiError } from '../../session/api';
import { offlineSaveMessage, sendWithRetry, retryNow } from '../../session/connection';
import { createModule, moduleKeys, planModule, publishModule } from '../api';
import { useDraftStore, type Draft } from '../draft';
import { useDraftSaver } from '../draft/DraftSaving';
import { draftErrors, placeAndPane } from '../draftPlaces';
import { useNotifyPublished } from './useNotifyPublished';

/** A question before publishing: records prevent it or would break new rules, or values would be lost. */
export interface PublishQuestion {
  readonly kind: 'violations' | 'rules' | 'losses';
  readonly steps: readonly PlanStep[];
}

/** The state of publishing: its confirmation, and the functions that publish, confirm and cancel. */
export type Publishing = ReturnType<typeof usePublish>;

/** Whether the draft has anything to publish. */
export function hasChanges({ base, changes, purge, unreadable, takesShipped = false }: Draft): boolean {
  return takesShipped || base.version === 0 || changes.length > 0 || purge.length > 0 || unreadable !== null;
}

/** Publishes the draft; asks for confirmation first if records would break rules or values would be lost. */
export function usePublish() {
  const store = useDraftStore();
  const saver = useDraftSaver();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const tell = useNotifyPublished();
  const [isBusy, setIsBusy] = useState(false);
  const [note, setNote] = useState('');
  const [question, setQuestion] = useState<PublishQuestion | null>(null);

  const departure = useRef<AbortController>(null);
  useEffect(() => () => departure.current?.abort(), []);
  /** Retries the call while there is no connection, and notifies the user once. */
  const whenConnected = <T>(call: () => Promise<T>): Promise<T> => {
    const abortController = (departure.current = new AbortController());
    let isTold = false;
    const onLost = () => {
      if (!isTold) notify(offlineSaveMessage, { type: 'warning' });
      isTold = true;
    };
    return sendWithRetry(call, onLost, abortController.signal, {
      label: `Definition of ${store.get().module.name}`,
      discard: () => abortController.abort(),
    });
  };

  const send = async (confirm: boolean) => {
    const { module, base, source, purge, takesShipped } = store.get();
    setIsBusy(true);
    // The published definition is the stored draft, which ends with it.
    if (saver && saver.state().kind !== 'offline') await saver.flush();
    const draft = saver?.revision() || undefined;
    try {
      const storedModule = await whenConnected(() =>
        base.version === 0 || module.retired
          ? createModule(source, confirm, note.trim(), draft)
          : publishModule(module.name, {
              definition: source,
              version: base.version,
              confirm,
              purge,
              draft,
              ...(note.trim() !== '' && { note: note.trim() }),
              ...(takesShipped && { shipped: true }),
            }),
      );
      setQuestion(null);
      setNote('');
      take(storedModule);
      tell(storedModule, base.version);
    } catch (error) {
      await onRefused(error);
    } finally {
      setIsBusy(false);
    }
  };
  const take = (storedModule: Module) => {
    store.get().rebase(storedModule);
    queryClient.setQueryData(moduleKeys.one(storedModule.name), storedModule);
    void queryClient.invalidateQueries({ queryKey: moduleKeys.all });
    void queryClient.invalidateQueries({ queryKey: moduleKeys.versions(storedModule.name) });
    void queryClient.invalidateQueries({ queryKey: ['definitions'] });
  };
  const onRefused = async (error: unknown) => {
    if (departure.current?.signal.aborted) return;
    setQuestion(null);
    if (error instanceof ApiError && error.status === 409)
      await queryClient.invalidateQueries({ queryKey: moduleKeys.one(store.get().module.name) });
    const [errorPath] = error instanceof ApiError ? Object.keys(error.errors) : [];
    if (errorPath !== undefined) store.get().go(...placeAndPane(errorPath));
    notify(error instanceof Error ? error.message : String(error), { type: 'error' });
  };

  const publish = async () => {
    const draft = store.get();
    const { module, source, purge } = draft;
    if (isBusy) return retryNow();
    if (question || !hasChanges(draft)) return;
    const [firstError] = draftErrors(draft);
    if (firstError) return draft.go(...placeAndPane(firstError.path));
    setIsBusy(true);
    const plan = await whenConnected(() => planModule(module.name, source, { purge })).catch((error: Error) => error);
    setIsBusy(false);
    if (departure.current?.signal.aborted) return;
    if (plan instanceof Error) return notify(plan.message, { type: 'error' });
    const violated = plan.steps.filter(({ forbidden }) => forbidden);
    const losses = plan.steps.filter(({ destructive }) => destructive);
    const brokenRules = plan.steps.filter(({ kind, rows }) => kind === 'rule' && rows > 0);
    if (!plan.valid) draft.go(...placeAndPane(firstOf(plan.errors).path));
    else if (violated.length > 0) setQuestion({ kind: 'violations', steps: violated });
    else if (losses.length > 0) setQuestion({ kind: 'losses', steps: losses });
    else if (brokenRules.length > 0) setQuestion({ kind: 'rules', steps: brokenRules });
    else await send(false);
  };
  return {
    publish: () => void publish(),
    isBusy,
    note,
    setNote,
    question,
    confirm: () => void send(true),
    closeQuestion: () => setQuestion(null),
  };
}
