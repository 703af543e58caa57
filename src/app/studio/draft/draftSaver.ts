import type { DraftContent, ModuleDraft, WholeModuleDraft } from '../../../engine/studio/module-draft';
import { readStreamName } from '../../data/streamName';
import { ApiError } from '../../session/api';
import { waitForConnection } from '../../session/connection';
import { toContent, type SavedDraft, type SentTexts } from './savedDraft';
import { discardStoredDraft, fetchDraft, storeDraft } from './draftApi';

/** How far the server has what is typed. */
export type SavingState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  /** There is no connection: the browser keeps it, and sends it when there is one. */
  | { readonly kind: 'offline' }
  /** Another browser changed the stored draft (null: ended it), so that the user decides. */
  | { readonly kind: 'conflict'; readonly remoteDraft: WholeModuleDraft | null }
  | { readonly kind: 'failed'; readonly message: string };

/** The content to save: a draft, or nothing if it has no changes. */
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
  /** The texts that this browser has sent, in any of its tabs, also where the answer was lost with a page that was left. */
  readonly sentTexts: SentTexts;
  /** Called when the server has stored this as this draft; with null when it has discarded the stored one. */
  readonly onSaved: (wanted: Wanted, stored: ModuleDraft | null) => void;
}

const isSame = (first: DraftContent, second: DraftContent): boolean =>
  first.text === second.text &&
  first.takes_shipped === second.takes_shipped &&
  first.base.version === second.base.version &&
  first.purge.join() === second.purge.join();

/** A saver of a draft that continues a revision of the server. */
export function createDraftSaver({ name, revision: initialRevision, sentTexts, onSaved }: SaverOptions): DraftSaver {
  const departure = new AbortController();
  const listeners = new Set<() => void>();
  let state: SavingState = { kind: 'saved' };
  let revision = initialRevision;
  /** In an object, because null is a draft without changes. */
  let pendingSave: { readonly draft: Wanted } | undefined;
  let waitingSince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let currentRun: Promise<void> | undefined;

  const set = (next: SavingState) => {
    if (next.kind === state.kind && next.kind !== 'conflict') return;
    state = next;
    for (const listener of listeners) listener();
  };

  /** This window follows the answer, so that no event has to tell it what it did itself. */
  const send = async (draft: Wanted): Promise<ModuleDraft | null> => {
    let storedDraft: ModuleDraft | null = null;
    if (draft) {
      sentTexts.note(draft.now.text);
      storedDraft = await storeDraft(name, toContent(draft), revision, readStreamName());
    } else {
      const endedRevision = revision > 0 ? revision : await revisionOfOurs();
      if (endedRevision > 0) await discardStoredDraft(name, endedRevision, readStreamName());
    }
    revision = storedDraft?.revision ?? 0;
    return storedDraft;
  };

  /** The revision that the server has of what this browser sent without hearing of it; 0: none. */
  const revisionOfOurs = async (): Promise<number> => {
    const storedDraft = await fetchDraft(name);
    return storedDraft && sentTexts.includes(storedDraft.text) ? storedDraft.revision : 0;
  };

  /** Sends until nothing waits. A failed draft waits again, unless something newer does. */
  const run = async (): Promise<void> => {
    for (let wait = firstRetry; pendingSave && state.kind !== 'conflict';) {
      const { draft } = pendingSave;
      pendingSave = undefined;
      set({ kind: 'saving' });
      const continued = revision;
      try {
        const storedDraft = await send(draft);
        wait = firstRetry;
        onSaved(draft, storedDraft);
      } catch (error) {
        pendingSave ??= { draft };
        if (!(error instanceof ApiError)) return set({ kind: 'failed', message: String(error) });
        if (error.status === 409) await onConflict(continued);
        else if (error.status !== 0 && error.status < 500) return set({ kind: 'failed', message: error.message });
        else {
          set({ kind: 'offline' });
          if (departure.signal.aborted) return;
          await waitForConnection(wait, departure.signal);
          if (departure.signal.aborted) return;
          wait = Math.min(wait * 2, lastRetry);
        }
      }
    }
    if (!pendingSave) set({ kind: 'saved' });
  };
  const onConflict = async (continued: number) => {
    const remoteDraft = await fetchDraft(name).catch(() => undefined);
    // Another tab has sent the same.
    if (remoteDraft && pendingSave?.draft && isSame(remoteDraft, toContent(pendingSave.draft))) {
      const { draft } = pendingSave;
      revision = remoteDraft.revision;
      pendingSave = undefined;
      onSaved(draft, remoteDraft);
      return;
    }
    // This browser's own, in another tab or before a reload: what waits continues it.
    if (
      remoteDraft &&
      remoteDraft.revision !== continued &&
      (remoteDraft.revision === revision || sentTexts.includes(remoteDraft.text))
    ) {
      revision = remoteDraft.revision;
      return;
    }
    if (remoteDraft) set({ kind: 'conflict', remoteDraft });
    else if (remoteDraft === null) endedElsewhere();
    else set({ kind: 'failed', message: 'The stored draft could not be loaded.' });
  };

  /** Nothing is stored any more: a conflict only if something is to be saved. */
  const endedElsewhere = () => {
    if (pendingSave?.draft) return set({ kind: 'conflict', remoteDraft: null });
    pendingSave = undefined;
    revision = 0;
    set({ kind: 'saved' });
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    currentRun ??= run().finally(() => (currentRun = undefined));
    return currentRun;
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    revision: () => revision,
    isIdle: () => !pendingSave && !currentRun,
    change(draft) {
      if (!pendingSave) waitingSince = Date.now();
      pendingSave = { draft };
      if (state.kind === 'conflict' && !state.remoteDraft) endedElsewhere();
      if (state.kind === 'conflict' || !pendingSave) return;
      clearTimeout(timer);
      timer = setTimeout(() => void flush(), Math.max(0, Math.min(quiet, waitingSince + longest - Date.now())));
    },
    flush,
    adopt(storedRevision) {
      revision = storedRevision;
      pendingSave = undefined;
      clearTimeout(timer);
      set({ kind: 'saved' });
    },
    learn(storedRevision) {
      revision = Math.max(revision, storedRevision);
    },
    keepMine() {
      if (state.kind !== 'conflict') return;
      revision = state.remoteDraft?.revision ?? 0;
      set({ kind: 'saving' });
      void flush();
    },
    stop() {
      departure.abort();
      if (pendingSave) void flush();
    },
  };
}
