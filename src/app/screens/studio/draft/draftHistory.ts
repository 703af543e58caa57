import type { Source } from '../../../../engine/definitions/source';
import type { Base } from '../draft';
import { formatSource } from '../../../../engine/studio/format-source';
import { parseDraft } from './parseDraft';

/** A state of a draft. */
export interface DraftState {
  readonly source: Source;
  readonly text: string;
  readonly unreadable: { readonly line: number; readonly message: string } | null;
  readonly purge: readonly string[];
  /** Whether publishing it completes the pending upgrade: the changes are then based on what is shipped now. */
  readonly takesShipped?: boolean;
}

/** A draft with its undo history and, after undoing, the states to redo. */
export interface DraftHistory {
  readonly base: Base;
  readonly now: DraftState;
  readonly past: readonly DraftState[];
  readonly future: readonly DraftState[];
  /** The state that another tab has saved already. */
  readonly followed?: DraftState;
  /** What was changed last, and when: a change of the same place shortly after it belongs to the same undo step. */
  readonly last: { readonly what: string; readonly at: number } | null;
}

/** An event of a draft. `at` is in milliseconds since 1970. */
export type DraftEvent =
  | { kind: 'edit'; change: (source: Source) => Source; what: string; at: number }
  /** `apart`: a separate undo step, never merged with typing before or after it. */
  | { kind: 'write'; text: string; at: number; apart?: boolean }
  | { kind: 'purge'; columns: readonly string[] }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'discard' }
  | { kind: 'rebase'; base: Base; source: Source }
  /** Another tab changed the draft, or ended it (without `now`). Can be undone. */
  | { kind: 'follow'; base?: Base; now?: DraftState; at: number };

/** The most states in the undo history. */
const maxUndoSteps = 200;
/** Changes of one place within this many milliseconds are one undo step. */
const mergeWindow = 900;

/** A definition as an unchanged draft. */
export function initialState(source: Source): DraftState {
  return { source, text: formatSource(source), unreadable: null, purge: [] };
}

/** The initial history of a draft; `now` is its saved state. */
export function initialHistory(base: Base, now: DraftState = initialState(base.source)): DraftHistory {
  return { base, now, past: [], future: [], last: null };
}

/** Whether two definitions are equal, including the order of keys. */
export function isSameSource(one: Source, other: Source): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the draft has no changes. */
export function isUnchanged({ base, now }: Pick<DraftHistory, 'base' | 'now'>): boolean {
  return (
    now.unreadable === null && now.purge.length === 0 && !now.takesShipped && isSameSource(now.source, base.source)
  );
}

/** Reducer: the draft after an event. */
export function reduceDraft(steps: DraftHistory, event: DraftEvent): DraftHistory {
  const { base, now, past, future } = steps;
  switch (event.kind) {
    case 'edit': {
      const source = event.change(now.source);
      if (isSameSource(source, now.source) && !now.unreadable) return steps;
      return pushState(steps, { ...now, source, text: formatSource(source), unreadable: null }, event.what, event.at);
    }
    case 'write': {
      if (event.text === now.text) return steps;
      const reading = parseDraft(event.text);
      const read = 'source' in reading ? { source: reading.source, unreadable: null } : { unreadable: reading };
      return pushState(steps, { ...now, ...read, text: event.text }, event.apart ? '' : 'text', event.at);
    }
    case 'purge':
      return pushState(steps, { ...now, purge: event.columns });
    case 'undo': {
      const before = past.at(-1);
      return before ? { base, now: before, past: past.slice(0, -1), future: [now, ...future], last: null } : steps;
    }
    case 'redo': {
      const [next, ...rest] = future;
      return next ? { base, now: next, past: [...past, now], future: rest, last: null } : steps;
    }
    case 'discard':
      return pushState(steps, initialState(base.source));
    case 'follow': {
      const { base: from = base, now: followed = initialState(from.source) } = event;
      return { ...pushState(steps, followed, 'elsewhere', event.at), base: from, followed };
    }
    case 'rebase':
      return { ...initialHistory(event.base, initialState(event.source)), past: [] };
  }
}

function pushState(steps: DraftHistory, now: DraftState, what = '', at = 0): DraftHistory {
  const joins = what !== '' && steps.last?.what === what && at - steps.last.at < mergeWindow;
  return {
    base: steps.base,
    now,
    past: joins ? steps.past : [...steps.past, steps.now].slice(-maxUndoSteps),
    future: [],
    last: what === '' ? null : { what, at },
  };
}
