import type { DraftContent, ModuleDraft, WholeModuleDraft } from '../../../../engine/studio/module-draft';
import { readStreamName } from '../../../admin/streamName';
import { ApiError } from '../../../session/api';
import { waitForConnection } from '../../../session/connection';
import { toContent, type SavedDraft, type SentTexts } from './savedDraft';
import { discardStoredDraft, fetchDraft, storeDraft } from './draftApi';

/** How far the server has what is typed. */
export type SavingState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  /** There is no connection: the browser keeps it, and sends it when there is one. */
  | { readonly kind: 'offline' }
  /** Another browser changed the stored draft (null: ended it), so that the user decides. */
  | { readonly kind: 'conflict'; readonly theirs: WholeModuleDraft | null }
  | { readonly kind: 'failed'; readonly message: string };

/** What is saved: a draft, or nothing if it has no changes. */
type Wanted = Pick<SavedDraft, 'base' | 'now'> | null;

/** Saves one draft on the server, a moment after the last change. */
export interface DraftSaver {
  state(): SavingState;
  subscribe(listener: () => void): () => void;
  /** The server's revision that the draft continues; 0: none. */
  revision(): number;
  /** Whether everything was sent and answered. */
  isIdle(): boolean;
  /** Saves this a moment after the last call; null: the draft has no changes, so the stored one is discarded. */
  change(wanted: Wanted): void;
  /** Saves what waits now. Resolves once nothing waits, or it could not be saved. */
  flush(): Promise<void>;
  /** The stored draft is of this revision, as another tab or call says; what waits here is dropped. */
  adopt(revision: number): void;
  /** The stored draft is of at least this revision, as another tab says; what waits here is still sent. */
  learn(revision: number): void;
  /** Ends a conflict: saves what is typed here instead of the stored draft. */
  keepMine(): void;
  /** Sends what waits, and does not try again without a connection. */
  stop(): void;
}

/** Milliseconds without a change before it is saved, and the most that saving waits while changes go on. */
const [quiet, longest] = [800, 5000];
const [firstRetry, lastRetry] = [2000, 30_000];

interface SaverOptions {
  readonly name: string;
  readonly revision: number;
  /** What this browser has sent, in any of its tabs, also where the answer was lost with a page that was left. */
  readonly sent: SentTexts;
  /** Called when the server has stored this as this draft; with null when it has discarded the stored one. */
  readonly onSaved: (wanted: Wanted, stored: ModuleDraft | null) => void;
}

const isSame = (one: DraftContent, other: DraftContent): boolean =>
  one.text === other.text &&
  one.takes_shipped === other.takes_shipped &&
  one.base.version === other.base.version &&
  one.purge.join() === other.purge.join();

/** A saver of a draft that continues a revision of the server. */
export function createDraftSaver({ name, revision: begun, sent, onSaved }: SaverOptions): DraftSaver {
  const leaving = new AbortController();
  const listeners = new Set<() => void>();
  let state: SavingState = { kind: 'saved' };
  let revision = begun;
  /** In an object, because null is a draft without changes. */
  let waiting: { readonly wanted: Wanted } | undefined;
  let waitingSince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;

  const set = (next: SavingState) => {
    if (next.kind === state.kind && next.kind !== 'conflict') return;
    state = next;
    for (const listener of listeners) listener();
  };

  /** This window follows the answer, so that no event has to tell it what it did itself. */
  const send = async (wanted: Wanted): Promise<ModuleDraft | null> => {
    let stored: ModuleDraft | null = null;
    if (wanted) {
      sent.note(wanted.now.text);
      stored = await storeDraft(name, toContent(wanted), revision, readStreamName());
    } else {
      const ended = revision > 0 ? revision : await revisionOfOurs();
      if (ended > 0) await discardStoredDraft(name, ended, readStreamName());
    }
    revision = stored?.revision ?? 0;
    return stored;
  };

  /** The revision that the server has of what this browser sent without hearing of it; 0: none. */
  const revisionOfOurs = async (): Promise<number> => {
    const stored = await fetchDraft(name);
    return stored && sent.has(stored.text) ? stored.revision : 0;
  };

  /** Sends until nothing waits. What failed waits again, unless something newer does. */
  const run = async (): Promise<void> => {
    for (let wait = firstRetry; waiting && state.kind !== 'conflict';) {
      const { wanted } = waiting;
      waiting = undefined;
      set({ kind: 'saving' });
      const continued = revision;
      try {
        const stored = await send(wanted);
        wait = firstRetry;
        onSaved(wanted, stored);
      } catch (error) {
        waiting ??= { wanted };
        if (!(error instanceof ApiError)) return set({ kind: 'failed', message: String(error) });
        if (error.status === 409) await onConflict(continued);
        else if (error.status !== 0 && error.status < 500) return set({ kind: 'failed', message: error.message });
        else {
          set({ kind: 'offline' });
          if (leaving.signal.aborted) return;
          await waitForConnection(wait, leaving.signal);
          if (leaving.signal.aborted) return;
          wait = Math.min(wait * 2, lastRetry);
        }
      }
    }
    if (!waiting) set({ kind: 'saved' });
  };
  const onConflict = async (continued: number) => {
    const theirs = await fetchDraft(name).catch(() => undefined);
    // Another tab has sent the same.
    if (theirs && waiting?.wanted && isSame(theirs, toContent(waiting.wanted))) {
      const { wanted } = waiting;
      revision = theirs.revision;
      waiting = undefined;
      onSaved(wanted, theirs);
      return;
    }
    // This browser's own, in another tab or before a reload: what waits continues it.
    if (theirs && theirs.revision !== continued && (theirs.revision === revision || sent.has(theirs.text))) {
      revision = theirs.revision;
      return;
    }
    if (theirs) set({ kind: 'conflict', theirs });
    else if (theirs === null) endedElsewhere();
    else set({ kind: 'failed', message: 'The stored draft could not be loaded.' });
  };

  /** Nothing is stored any more: a conflict only if something is to be saved. */
  const endedElsewhere = () => {
    if (waiting?.wanted) return set({ kind: 'conflict', theirs: null });
    waiting = undefined;
    revision = 0;
    set({ kind: 'saved' });
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    running ??= run().finally(() => (running = undefined));
    return running;
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    revision: () => revision,
    isIdle: () => !waiting && !running,
    change(wanted) {
      if (!waiting) waitingSince = Date.now();
      waiting = { wanted };
      if (state.kind === 'conflict' && !state.theirs) endedElsewhere();
      if (state.kind === 'conflict' || !waiting) return;
      clearTimeout(timer);
      timer = setTimeout(() => void flush(), Math.max(0, Math.min(quiet, waitingSince + longest - Date.now())));
    },
    flush,
    adopt(stored) {
      revision = stored;
      waiting = undefined;
      clearTimeout(timer);
      set({ kind: 'saved' });
    },
    learn(stored) {
      revision = Math.max(revision, stored);
    },
    keepMine() {
      if (state.kind !== 'conflict') return;
      revision = state.theirs?.revision ?? 0;
      set({ kind: 'saving' });
      void flush();
    },
    stop() {
      leaving.abort();
      if (waiting) void flush();
    },
  };
}
