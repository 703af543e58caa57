import type { Source } from '../../../src/engine/definitions/source';
import type { Base } from '../draft';
import { formatSource } from '../../../src/engine/studio/format';
import { readDraft } from './reading';

/** A state of a draft. */
export interface Moment {
  readonly source: Source;
  readonly text: string;
  readonly unreadable: { readonly line: number; readonly message: string } | null;
  readonly purge: readonly string[];
  /** Whether publishing it completes the pending upgrade: the changes are then based on what is shipped now. */
  readonly takesShipped?: boolean;
}

/** A draft with its undo history and, after undoing, the states to redo. */
export interface Steps {
  readonly base: Base;
  readonly now: Moment;
  readonly past: readonly Moment[];
  readonly future: readonly Moment[];
  /** The state that another tab has saved already. */
  readonly followed?: Moment;
  /** What was changed last, and when: a change of the same place shortly after it belongs to the same undo step. */
  readonly last: { readonly what: string; readonly at: number } | null;
}

/** An event of a draft. `at` is in milliseconds since 1970. */
export type StepEvent =
  | { kind: 'edit'; change: (source: Source) => Source; what: string; at: number }
  /** `apart`: a separate undo step, never merged with typing before or after it. */
  | { kind: 'write'; text: string; at: number; apart?: boolean }
  | { kind: 'purge'; columns: readonly string[] }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'discard' }
  | { kind: 'rebase'; base: Base; source: Source }
  /** Another tab changed the draft, or ended it (without `now`). Can be undone. */
  | { kind: 'follow'; base?: Base; now?: Moment; at: number };

/** The most states in the undo history. */
const most = 200;
/** Changes of one place within this many milliseconds are one undo step. */
const together = 900;

/** A definition as an unchanged draft. */
export function momentOf(source: Source): Moment {
  return { source, text: formatSource(source), unreadable: null, purge: [] };
}

/** The initial history of a draft; `now` is its saved state. */
export function stepsOf(base: Base, now: Moment = momentOf(base.source)): Steps {
  return { base, now, past: [], future: [], last: null };
}

/** Whether two definitions are equal, including the order of keys. */
export function isSame(one: Source, other: Source): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the draft has no changes. */
export function isUntouched({ base, now }: Pick<Steps, 'base' | 'now'>): boolean {
  return now.unreadable === null && now.purge.length === 0 && !now.takesShipped && isSame(now.source, base.source);
}

/** Reducer: the draft after an event. */
export function afterEvent(steps: Steps, event: StepEvent): Steps {
  const { base, now, past, future } = steps;
  switch (event.kind) {
    case 'edit': {
      const source = event.change(now.source);
      if (isSame(source, now.source) && !now.unreadable) return steps;
      return onward(steps, { ...now, source, text: formatSource(source), unreadable: null }, event.what, event.at);
    }
    case 'write': {
      if (event.text === now.text) return steps;
      const reading = readDraft(event.text);
      const read = 'source' in reading ? { source: reading.source, unreadable: null } : { unreadable: reading };
      return onward(steps, { ...now, ...read, text: event.text }, event.apart ? '' : 'text', event.at);
    }
    case 'purge':
      return onward(steps, { ...now, purge: event.columns });
    case 'undo': {
      const before = past.at(-1);
      return before ? { base, now: before, past: past.slice(0, -1), future: [now, ...future], last: null } : steps;
    }
    case 'redo': {
      const [next, ...rest] = future;
      return next ? { base, now: next, past: [...past, now], future: rest, last: null } : steps;
    }
    case 'discard':
      return onward(steps, momentOf(base.source));
    case 'follow': {
      const { base: from = base, now: followed = momentOf(from.source) } = event;
      return { ...onward(steps, followed, 'elsewhere', event.at), base: from, followed };
    }
    case 'rebase':
      return { ...stepsOf(event.base, momentOf(event.source)), past: [] };
  }
}

function onward(steps: Steps, now: Moment, what = '', at = 0): Steps {
  const joins = what !== '' && steps.last?.what === what && at - steps.last.at < together;
  return {
    base: steps.base,
    now,
    past: joins ? steps.past : [...steps.past, steps.now].slice(-most),
    future: [],
    last: what === '' ? null : { what, at },
  };
}
