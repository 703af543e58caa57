import type { Source } from '../../../src/engine/definitions/source';
import type { Base } from '../draft';
import { formatSource } from '../../../src/engine/studio/format';
import { readDraft } from './reading';

/** A draft at one moment. */
export interface Moment {
  readonly source: Source;
  readonly text: string;
  readonly unreadable: { readonly line: number; readonly message: string } | null;
  readonly purge: readonly string[];
  /** Decides the upgrade that waits: once it is published, what is shipped now is what the changes are made to. */
  readonly takesShipped?: boolean;
}

/** A draft with the moments before it and, after going back, those that came later. */
export interface Steps {
  readonly base: Base;
  readonly now: Moment;
  readonly past: readonly Moment[];
  readonly future: readonly Moment[];
  /** The moment that another tab has kept already. */
  readonly followed?: Moment;
  /** What was changed last, and when: what follows soon in the same place is one step with it. */
  readonly last: { readonly what: string; readonly at: number } | null;
}

/** What can happen to a draft. `at` is in milliseconds since 1970. */
export type StepEvent =
  | { kind: 'edit'; change: (source: Source) => Source; what: string; at: number }
  /** `apart`: a step of its own, that no typing before or after it joins. */
  | { kind: 'write'; text: string; at: number; apart?: boolean }
  | { kind: 'purge'; columns: readonly string[] }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'discard' }
  | { kind: 'rebase'; base: Base; source: Source }
  /** What another tab made of the same draft, or that it ended there: a step that can be gone back from. */
  | { kind: 'follow'; base?: Base; now?: Moment; at: number };

/** Moments that can be gone back to. */
const most = 200;
/** Changes in one place that come closer together are one step. */
const together = 900;

/** A definition as a draft without a change. */
export function momentOf(source: Source): Moment {
  return { source, text: formatSource(source), unreadable: null, purge: [] };
}

/** A draft at its beginning; `now` is what was kept of it. */
export function stepsOf(base: Base, now: Moment = momentOf(base.source)): Steps {
  return { base, now, past: [], future: [], last: null };
}

/** Whether two definitions are written the same, the order of keys included. */
export function isSame(one: Source, other: Source): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether nothing would be lost without the draft. */
export function isUntouched({ base, now }: Pick<Steps, 'base' | 'now'>): boolean {
  return now.unreadable === null && now.purge.length === 0 && !now.takesShipped && isSame(now.source, base.source);
}

/** The draft after something happened to it. */
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
