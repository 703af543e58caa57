import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { createContext, use, useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useDraftStore, type Draft } from '../draft';
import { draftKeys, fetchDraft, fetchDrafts } from './draftApi';
import { isUnchanged } from './draftHistory';
import { rememberStored } from './rememberStored';
import { createDraftSaver, type DraftSaver, type SavingState } from './draftSaver';
import {
  deleteSavedDraft,
  fromServer,
  noteStored,
  saveDraft,
  sentTexts,
  subscribeToSavedDraft,
  toContent,
  type SavedDraft,
} from './savedDraft';

const SaverContext = createContext<DraftSaver | null>(null);

/** The saver of the surrounding editor; null outside of one. */
export function useDraftSaver(): DraftSaver | null {
  return use(SaverContext);
}

const saved: SavingState = { kind: 'saved' };
const nothing = () => () => undefined;

/** How far the draft of the surrounding editor is saved on the server. */
export function useSavingState(): SavingState {
  const saver = useDraftSaver();
  return useSyncExternalStore(saver?.subscribe ?? nothing, () => saver?.state() ?? saved);
}

interface DraftSavingProps {
  /** Id of the draft's owner. */
  user: number;
  /** The draft as it was opened. */
  kept: SavedDraft | null;
  children: ReactNode;
}

const stateOf = ({ base, source, text, unreadable, purge, takesShipped }: Draft): Pick<SavedDraft, 'base' | 'now'> => ({
  base,
  now: { source, text, unreadable, purge, ...(takesShipped && { takesShipped }) },
});

/**
 * Saves the draft of the surrounding provider: in this browser at every change, and on the server a moment later. It
 * follows what is saved in another tab, in another browser, and what a colleague takes over.
 */
export function DraftSaving({ user, kept, children }: DraftSavingProps) {
  const store = useDraftStore();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [name] = useState(() => store.get().module.name);
  const [saver] = useState(() =>
    createDraftSaver({
      name,
      revision: kept?.revision ?? 0,
      sent: sentTexts(user, name),
      onSaved(wanted, stored) {
        rememberStored(queryClient, { name, user }, wanted && stored && { ...stored, ...toContent(wanted) });
        if (!wanted || !stored) return;
        noteStored(user, name, { revision: stored.revision, text: wanted.now.text });
      },
    }),
  );

  useEffect(() => {
    let last = store.get();
    // The server's is new to this browser; what only this browser has is new to the server.
    if (kept?.revision === 0) noteStored(user, name, null);
    if (kept) saveDraft(user, name, kept);
    else deleteSavedDraft(user, name);
    if (kept?.unsaved) saver.change(kept);
    const stop = store.subscribe(() => {
      const before = last;
      const draft = (last = store.get());
      const same = (['base', 'source', 'text', 'purge', 'takesShipped'] as const).every(
        (key) => draft[key] === before[key],
      );
      if (same || draft.isFollowed) return;
      const now = stateOf(draft);
      const unchanged = isUnchanged(now);
      if (unchanged) deleteSavedDraft(user, name);
      else saveDraft(user, name, { ...now, revision: saver.revision(), unsaved: true });
      saver.change(unchanged ? null : now);
      // At once: another window, which follows, must not find what was discarded.
      if (unchanged) void saver.flush();
    });
    const leave = () => void saver.flush();
    window.addEventListener('pagehide', leave);
    return () => {
      stop();
      window.removeEventListener('pagehide', leave);
      saver.stop();
    };
  }, [store, saver, user, name, kept]);

  // Two tabs share one draft: a change in the other tab is applied here, and that tab saves it.
  useEffect(
    () =>
      subscribeToSavedDraft(user, name, {
        onKept(other) {
          // What waits here is sent, unless the other tab sends something newer.
          if (other && store.get().text === other.now.text) return saver.learn(other.revision);
          saver.adopt(other ? Math.max(other.revision, saver.revision()) : 0);
          store.get().follow(other);
        },
        onStored: saver.learn,
      }),
    [store, saver, user, name],
  );

  const { data, isFetchedAfterMount } = useQuery({
    queryKey: draftKeys.own(name),
    queryFn: ({ signal }) => fetchDraft(name, signal),
    retry: false,
    gcTime: 0,
    meta: { quiet: true },
  });
  /** Follows the stored draft if another browser changed or ended it while nothing waits here. */
  const follow = useEffectEvent(async () => {
    if (!saver.isIdle() || data?.revision === saver.revision() || (!data && saver.revision() === 0)) return;
    const seen = saver.revision();
    // The answer may be older than what was saved since: only one that was asked for now counts.
    const stored = await fetchDraft(name).catch(() => undefined);
    if (stored === undefined || !saver.isIdle() || saver.revision() !== seen || stored?.revision === seen) return;
    saver.adopt(stored?.revision ?? 0);
    if (stored) {
      saveDraft(user, name, fromServer(stored));
      store.get().follow(fromServer(stored));
      return;
    }
    deleteSavedDraft(user, name);
    if (isUnchanged(stateOf(store.get()))) return;
    store.get().follow(null);
    const other = (await fetchDrafts().catch(() => [])).find((one) => one.name === name && one.revision === seen + 1);
    const message = other
      ? `${other.user.name} has this draft now`
      : 'This draft was published or discarded in another window';
    notify(message, { type: 'info', messageArgs: { _: message } });
  });
  useEffect(() => {
    if (isFetchedAfterMount) void follow();
  }, [data, isFetchedAfterMount]);

  return <SaverContext value={saver}>{children}</SaverContext>;
}
