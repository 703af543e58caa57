import { useEffect, useLayoutEffect, useMemo, useReducer, useState, type ReactNode } from 'react';
import type { Source } from '../../../../engine/definitions/source';
import type { Module } from '../../../../engine/studio/module';
import { createDraftStore, DraftContext, type Draft } from '../draft';
import { diffDefinitions, type DefinitionChange } from '../../../../engine/studio/diff-definitions';
import type { SavedDraft } from './savedDraft';
import { reduceDraft, isUnchanged, initialHistory } from './draftHistory';
import { usePlace } from './usePlace';
import { usePlan } from './usePlan';

interface DraftProviderProps {
  module: Module;
  /** The draft to continue. */
  kept: Pick<SavedDraft, 'base' | 'now'> | null;
  children: ReactNode;
}

/** Provides the draft of one module with its undo history, its plan, and the selected place. */
export function DraftProvider({ module, kept, children }: DraftProviderProps) {
  const [steps, dispatch] = useReducer(reduceDraft, null, () =>
    kept ? initialHistory(kept.base, kept.now) : initialHistory(toBase(module)),
  );
  const { base, now, past, future } = steps;
  const untouched = isUnchanged(steps);
  const { place, face, go } = usePlace(`/fields/${Object.keys(now.source.fields)[0] ?? ''}`);
  const asked = useMemo(() => ({ ...now, version: module.version }), [now, module.version]);
  const planned = usePlan(module.name, asked, untouched, module.definition);

  // An unchanged draft follows what somebody else publishes.
  useEffect(() => {
    if (untouched && module.version !== base.version)
      dispatch({ kind: 'rebase', base: toBase(module), source: module.definition });
  }, [untouched, module, base.version]);

  const changes = useMemo(() => describeChanges(base.source, now.source), [base.source, now.source]);
  const acts = useMemo(
    () => ({
      edit: (change: (source: Source) => Source) =>
        dispatch({ kind: 'edit', change, what: `at ${place}`, at: Date.now() }),
      write: (text: string, apart = false) => dispatch({ kind: 'write', text, at: Date.now(), apart }),
      setPurge: (columns: readonly string[]) => dispatch({ kind: 'purge', columns }),
      discard: () => dispatch({ kind: 'discard' }),
      rebase: (onto: Module, source: Source = onto.definition) =>
        dispatch({ kind: 'rebase', base: toBase(onto), source }),
      follow: (other: Pick<SavedDraft, 'base' | 'now'> | null) =>
        dispatch({ kind: 'follow', ...(other && { base: other.base, now: other.now }), at: Date.now() }),
      undo: () => dispatch({ kind: 'undo' }),
      redo: () => dispatch({ kind: 'redo' }),
    }),
    [place],
  );
  const draft: Draft = {
    module,
    base,
    ...now,
    ...planned,
    changes,
    place,
    pane: face,
    isFollowed: now === steps.followed,
    go,
    ...acts,
    undo: past.length > 0 ? acts.undo : undefined,
    redo: future.length > 0 ? acts.redo : undefined,
  };
  const [{ store, put }] = useState(() => createDraftStore(draft));
  // Before the browser paints: what an input shows follows within the key that changed it.
  useLayoutEffect(() => put(draft));
  return <DraftContext value={store}>{children}</DraftContext>;
}

const toBase = ({ version, definition }: Module) => ({ version, source: definition });

/** The changes in words; a single unspecific change if the draft is not a complete definition. */
function describeChanges(before: Source, after: Source): readonly DefinitionChange[] {
  try {
    return diffDefinitions(before, after);
  } catch {
    return [{ kind: 'changed', path: '', subject: after.labels.many, text: '' }];
  }
}
