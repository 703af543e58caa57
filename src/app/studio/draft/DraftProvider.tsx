import { useEffect, useLayoutEffect, useMemo, useReducer, useState, type ReactNode, useCallback, useRef } from 'react';
import type { Source } from '../../../engine/language/source';
import type { Module } from '../../../engine/studio/module';
import { createDraftStore, DraftContext, type Draft, panes, type Pane } from '../draft';
import { diffDefinitions, type DefinitionChange } from '../../../engine/studio/diff-definitions';
import type { SavedDraft } from './savedDraft';
import { reduceDraft, isUnchanged, initialHistory } from './draftHistory';
import { usePlan } from './usePlan';
import { useSearchParams } from 'react-router-dom';

/** Places that are visited for less than this many milliseconds get no entry in the browser's history. */
const replaceWithin = 700;

/** The selected place and pane, kept in the address: `?at=/fields/name&face=json`. */
function usePlace(first: string): { pointer: string; face: Pane; go: (place: string, face?: Pane) => void } {
  const [query, setQuery] = useSearchParams();
  const pointer = query.get('at') ?? first;
  const face =
    panes.find((candidate) => candidate === query.get('face')) ?? (query.has('at') ? 'properties' : 'fields');
  const last = useRef(0);
  const go = useCallback(
    (target: string, pane?: Pane) => {
      const now = Date.now();
      const replace = now - last.current < replaceWithin;
      last.current = now;
      setQuery(
        (queryBefore) => {
          const next = new URLSearchParams(queryBefore);
          next.set('at', target);
          if (pane === 'properties') next.delete('face');
          else if (pane) next.set('face', pane);
          return next;
        },
        { replace },
      );
    },
    [setQuery],
  );
  return { pointer, face, go };
}

interface DraftProviderProps {
  module: Module;
  /** The draft to continue. */
  savedDraft: Pick<SavedDraft, 'base' | 'now'> | null;
  children: ReactNode;
}

/** Provides the draft of one module with its undo history, its plan, and the selected place. */
export function DraftProvider({ module, savedDraft, children }: DraftProviderProps) {
  const [steps, dispatch] = useReducer(reduceDraft, null, () =>
    savedDraft ? initialHistory(savedDraft.base, savedDraft.now) : initialHistory(toBase(module)),
  );
  const { base, now, undoStates, redoStates } = steps;
  const hasNoChanges = isUnchanged(steps);
  const { pointer, face, go } = usePlace(`/fields/${Object.keys(now.source.fields)[0] ?? ''}`);
  const request = useMemo(() => ({ ...now, version: module.version }), [now, module.version]);
  const planState = usePlan(module.name, request, hasNoChanges, module.definition);

  // An unchanged draft follows what somebody else publishes.
  useEffect(() => {
    if (hasNoChanges && module.version !== base.version)
      dispatch({ kind: 'rebase', base: toBase(module), source: module.definition });
  }, [hasNoChanges, module, base.version]);

  const changes = useMemo(() => describeChanges(base.source, now.source), [base.source, now.source]);
  const actions = useMemo(
    () => ({
      edit: (change: (source: Source) => Source) =>
        dispatch({ kind: 'edit', change, subject: `at ${pointer}`, time: Date.now() }),
      write: (text: string, isSeparate = false) => dispatch({ kind: 'write', text, time: Date.now(), isSeparate }),
      setPurge: (columns: readonly string[]) => dispatch({ kind: 'purge', columns }),
      discard: () => dispatch({ kind: 'discard' }),
      rebase: (target: Module, source: Source = target.definition) =>
        dispatch({ kind: 'rebase', base: toBase(target), source }),
      follow: (otherDraft: Pick<SavedDraft, 'base' | 'now'> | null) =>
        dispatch({
          kind: 'follow',
          ...(otherDraft && { base: otherDraft.base, now: otherDraft.now }),
          time: Date.now(),
        }),
      undo: () => dispatch({ kind: 'undo' }),
      redo: () => dispatch({ kind: 'redo' }),
    }),
    [pointer],
  );
  const draft: Draft = {
    module,
    base,
    ...now,
    ...planState,
    changes,
    pointer,
    pane: face,
    isFollowed: now === steps.syncedState,
    go,
    ...actions,
    undo: undoStates.length > 0 ? actions.undo : undefined,
    redo: redoStates.length > 0 ? actions.redo : undefined,
  };
  const [{ store, put }] = useState(() => createDraftStore(draft));
  // Before the browser paints: what an input shows follows within the key that changed it.
  useLayoutEffect(() => put(draft));
  return <DraftContext value={store}>{children}</DraftContext>;
}

const toBase = ({ version, definition }: Module) => ({ version, source: definition });

/** The changes in words; a single unspecific change if the draft is not a complete definition. */
function describeChanges(oldSource: Source, newSource: Source): readonly DefinitionChange[] {
  try {
    return diffDefinitions(oldSource, newSource);
  } catch {
    return [{ kind: 'changed', path: '', subject: newSource.labels.many, text: '' }];
  }
}
