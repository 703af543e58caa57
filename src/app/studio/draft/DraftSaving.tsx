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

const savedState: SavingState = { kind: 'saved' };
const neverNotified = () => () => undefined;

/** How far the draft of the surrounding editor is saved on the server. */
export function useSavingState(): SavingState {
  const saver = useDraftSaver();
  return useSyncExternalStore(saver?.subscribe ?? neverNotified, () => saver?.state() ?? savedState);
}

interface DraftSavingProps {
  /** Id of the draft's owner. */
  user: number;
  /** The draft as it was opened. */
  savedDraft: SavedDraft | null;
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
export function DraftSaving({ user, savedDraft, children }: DraftSavingProps) {
  const store = useDraftStore();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [name] = useState(() => store.get().module.name);
  const [saver] = useState(() =>
    createDraftSaver({
      name,
      revision: savedDraft?.revision ?? 0,
      sentTexts: sentTexts(user, name),
      onSaved(savedContent, storedDraft) {
        rememberStored(
          queryClient,
          { name, user },
          savedContent && storedDraft && { ...storedDraft, ...toContent(savedContent) },
        );
        if (!savedContent || !storedDraft) return;
        noteStored(user, name, { revision: storedDraft.revision, text: savedContent.now.text });
      },
    }),
  );

  useEffect(() => {
    let last = store.get();
    // The server's is new to this browser; what only this browser has is new to the server.
    if (savedDraft?.revision === 0) noteStored(user, name, null);
    if (savedDraft) saveDraft(user, name, savedDraft);
    else deleteSavedDraft(user, name);
    if (savedDraft?.unsaved) saver.change(savedDraft);
    const stop = store.subscribe(() => {
      const draftBefore = last;
      const draft = (last = store.get());
      const isEqual = (['base', 'source', 'text', 'purge', 'takesShipped'] as const).every(
        (key) => draft[key] === draftBefore[key],
      );
      if (isEqual || draft.isFollowed) return;
      const now = stateOf(draft);
      const hasNoChanges = isUnchanged(now);
      if (hasNoChanges) deleteSavedDraft(user, name);
      else saveDraft(user, name, { ...now, revision: saver.revision(), unsaved: true });
      saver.change(hasNoChanges ? null : now);
      // At once: another window, which follows, must not find what was discarded.
      if (hasNoChanges) void saver.flush();
    });
    const leave = () => void saver.flush();
    window.addEventListener('pagehide', leave);
    return () => {
      stop();
      window.removeEventListener('pagehide', leave);
      saver.stop();
    };
  }, [store, saver, user, name, savedDraft]);

  // Two tabs share one draft: a change in the other tab is applied here, and that tab saves it.
  useEffect(
    () =>
      subscribeToSavedDraft(user, name, {
        onKept(otherDraft) {
          // Waiting changes are sent, unless the other tab sends something newer.
          if (otherDraft && store.get().text === otherDraft.now.text) return saver.learn(otherDraft.revision);
          saver.adopt(otherDraft ? Math.max(otherDraft.revision, saver.revision()) : 0);
          store.get().follow(otherDraft);
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
    const revisionBefore = saver.revision();
    // The answer may be older than what was saved since: only one that was asked for now counts.
    const storedDraft = await fetchDraft(name).catch(() => undefined);
    if (
      storedDraft === undefined ||
      !saver.isIdle() ||
      saver.revision() !== revisionBefore ||
      storedDraft?.revision === revisionBefore
    )
      return;
    saver.adopt(storedDraft?.revision ?? 0);
    if (storedDraft) {
      saveDraft(user, name, fromServer(storedDraft));
      store.get().follow(fromServer(storedDraft));
      return;
    }
    deleteSavedDraft(user, name);
    if (isUnchanged(stateOf(store.get()))) return;
    store.get().follow(null);
    const successor = (await fetchDrafts().catch(() => [])).find(
      (candidate) => candidate.name === name && candidate.revision === revisionBefore + 1,
    );
    const message = successor
      ? `${successor.user.name} has this draft now`
      : 'This draft was published or discarded in another window';
    notify(message, { type: 'info', messageArgs: { _: message } });
  });
  useEffect(() => {
    if (isFetchedAfterMount) void follow();
  }, [data, isFetchedAfterMount]);

  return <SaverContext value={saver}>{children}</SaverContext>;
}
