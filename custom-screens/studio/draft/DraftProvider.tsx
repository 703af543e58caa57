import { useEffect, useMemo, useReducer, type ReactNode } from 'react';
import type { Source } from '../../../src/engine/definitions/source';
import type { Module } from '../../../src/engine/studio/module';
import { DraftContext, type Draft } from '../draft';
import { changesBetween, type Change } from '../../../src/engine/studio/changes';
import { followKept, type Kept } from './kept';
import { afterEvent, isUntouched, stepsOf } from './steps';
import { useKeeping } from './useKeeping';
import { usePlace } from './usePlace';
import { usePlan } from './usePlan';

interface DraftProviderProps {
  module: Module;
  /** Whose draft it is. */
  user: number;
  /** What was left of it the last time. */
  kept: Kept | null;
  children: ReactNode;
}

/** Holds the draft of one module: its steps back and forth, its plan, and the place that is being worked on. */
export function DraftProvider({ module, user, kept, children }: DraftProviderProps) {
  const [steps, dispatch] = useReducer(afterEvent, null, () =>
    kept ? stepsOf(kept.base, kept.now) : stepsOf(baseOf(module)),
  );
  const { base, now, past, future } = steps;
  const untouched = isUntouched(steps);
  const { place, face, go } = usePlace(`/fields/${Object.keys(now.source.fields)[0] ?? ''}`);
  const asked = useMemo(() => ({ ...now, version: module.version }), [now, module.version]);
  const planned = usePlan(module.name, asked, untouched, module.definition);
  useKeeping(user, module.name, steps);

  // Two tabs show one draft: what is changed in the other is changed here, and neither overwrites it when it is kept.
  useEffect(
    () => followKept(user, module.name, (other) => dispatch({ kind: 'follow', ...other, at: Date.now() })),
    [user, module.name],
  );

  // Whoever changed nothing simply sees what somebody else published.
  useEffect(() => {
    if (untouched && module.version !== base.version)
      dispatch({ kind: 'rebase', base: baseOf(module), source: module.definition });
  }, [untouched, module, base.version]);

  const changes = useMemo(() => differences(base.source, now.source), [base.source, now.source]);
  const acts = useMemo(
    () => ({
      edit: (change: (source: Source) => Source) =>
        dispatch({ kind: 'edit', change, what: `at ${place}`, at: Date.now() }),
      write: (text: string, apart = false) => dispatch({ kind: 'write', text, at: Date.now(), apart }),
      setPurge: (columns: readonly string[]) => dispatch({ kind: 'purge', columns }),
      discard: () => dispatch({ kind: 'discard' }),
      rebase: (onto: Module, source: Source = onto.definition) =>
        dispatch({ kind: 'rebase', base: baseOf(onto), source }),
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
    face,
    go,
    ...acts,
    ...(past.length > 0 && { undo: () => dispatch({ kind: 'undo' }) }),
    ...(future.length > 0 && { redo: () => dispatch({ kind: 'redo' }) }),
  };
  return <DraftContext value={draft}>{children}</DraftContext>;
}

const baseOf = ({ version, definition }: Module) => ({ version, source: definition });

/** What differs, in words; of a draft that is no definition yet, that it does. */
function differences(before: Source, after: Source): readonly Change[] {
  try {
    return changesBetween(before, after);
  } catch {
    return [{ kind: 'changed', path: '', subject: after.labels.many, text: '' }];
  }
}
