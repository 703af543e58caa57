import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ModuleDraft } from '../../../engine/studio/module-draft';
import { useDefinitions } from '../../data/DefinitionsContext';
import { ConfirmDialog } from '../../dialogs/ConfirmDialog';
import { Icon } from '../../icons/Icon';
import { discardStoredDraft, draftKeys, fetchDraft, fetchDrafts, storeDraft } from '../draft/draftApi';
import {
  deleteSavedDraft,
  readSavedDraft,
  saveDraft,
  toContent,
  unsavedDrafts,
  type SavedDraft,
} from '../draft/savedDraft';
import { UndoToast } from '../properties/UndoToast';
import { timeAgo } from '../timeAgo';
import { HandOverDialog } from './HandOverDialog';
import { TakeOverDialog } from './TakeOverDialog';
import * as styles from './drafts.module.css';

/** The drafts of all administrators, latest first; undefined until they are loaded. */
export function useDrafts(): readonly ModuleDraft[] | undefined {
  const { data } = useQuery({
    queryKey: draftKeys.all,
    queryFn: ({ signal }) => fetchDrafts(signal),
    retry: false,
    meta: { quiet: true },
  });
  return data;
}

/** Sends to the server what only this browser has: drafts of an earlier version, and what was typed without a connection. */
function useSendUnsaved(user: number): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const send = async () => {
      const names = unsavedDrafts(user);
      for (const name of names) {
        const draft = readSavedDraft(user, name);
        if (!draft) continue;
        // A conflict is decided in the editor; a draft that cannot be sent now is sent later.
        const storedDraft = await storeDraft(name, toContent(draft), draft.revision).catch(() => null);
        const now = readSavedDraft(user, name);
        if (storedDraft && now?.now.text === draft.now.text)
          saveDraft(user, name, { ...now, revision: storedDraft.revision, unsaved: false });
      }
      if (names.length > 0) await queryClient.invalidateQueries({ queryKey: draftKeys.all });
    };
    void send();
  }, [user, queryClient]);
}

type Asked = { readonly action: 'hand over' | 'take over' | 'discard'; readonly draft: ModuleDraft };

/** All drafts of definitions: whose each is and since when, with what can be done with it. */
export function DraftList() {
  const { actor } = useDefinitions();
  const drafts = useDrafts();
  const [request, setRequest] = useState<Asked | null>(null);
  useSendUnsaved(actor.id);
  if (!drafts || drafts.length === 0) return null;
  const ownNames = new Set(drafts.filter(({ user }) => user.id === actor.id).map(({ name }) => name));
  const close = () => setRequest(null);
  return (
    <section className={styles.drafts} aria-labelledby="drafts-title">
      <h2 id="drafts-title">
        Drafts <span className="num">{drafts.length}</span>
      </h2>
      <ul>
        {drafts.map((draft) => (
          <DraftEntry
            key={`${draft.name} ${draft.user.id}`}
            draft={draft}
            isOwn={draft.user.id === actor.id}
            onAsk={(action) => setRequest({ action, draft })}
          />
        ))}
      </ul>
      {request?.action === 'hand over' && (
        <HandOverDialog
          name={request.draft.name}
          label={request.draft.label}
          revision={() => request.draft.revision}
          onDone={() => deleteSavedDraft(actor.id, request.draft.name)}
          onClose={close}
        />
      )}
      {request?.action === 'take over' && (
        <TakeOverDialog
          draft={request.draft}
          hasOwn={ownNames.has(request.draft.name)}
          onDone={() => undefined}
          onClose={close}
        />
      )}
      {request?.action === 'discard' && <DiscardDialog draft={request.draft} onClose={close} />}
    </section>
  );
}

function DraftEntry({
  draft,
  isOwn,
  onAsk,
}: {
  draft: ModuleDraft;
  isOwn: boolean;
  onAsk: (what: Asked['action']) => void;
}) {
  const { name, label, user, updated_at } = draft;
  return (
    <li>
      <Icon name="pencil" />
      <p>
        {isOwn || draft.base_version > 0 ? <Link to={`/studio/${name}`}>{label}</Link> : <span>{label}</span>}
        <small>
          {isOwn ? 'Your draft' : `Draft of ${user.name}`}, {timeAgo(updated_at)}
          {draft.base_version === 0 && ', not published yet'}
        </small>
      </p>
      {isOwn ? (
        <>
          <Button size="small" variant="outlined" onClick={() => onAsk('hand over')} aria-label={`Hand over ${label}…`}>
            Hand over…
          </Button>
          <Button size="small" variant="text" onClick={() => onAsk('discard')} aria-label={`Discard ${label}…`}>
            Discard…
          </Button>
        </>
      ) : (
        <Button
          size="small"
          variant="outlined"
          onClick={() => onAsk('take over')}
          aria-label={`Take over ${label} of ${user.name}…`}
        >
          Take over…
        </Button>
      )}
    </li>
  );
}

/** Asks before the user's own draft is discarded; afterwards it can be undone. */
function DiscardDialog({ draft: { name, label }, onClose }: { draft: ModuleDraft; onClose: () => void }) {
  const { actor } = useDefinitions();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const fail = (failure: unknown) => {
    const { message } = failure as Error;
    notify(message, { type: 'error', messageArgs: { _: message } });
  };
  const reload = () => queryClient.invalidateQueries({ queryKey: [draftKeys.all[0]] });
  const undo = async (discardedDraft: Pick<SavedDraft, 'base' | 'now'>) => {
    try {
      const { revision } = await storeDraft(name, toContent(discardedDraft), 0);
      saveDraft(actor.id, name, { ...discardedDraft, revision, unsaved: false });
      await reload();
    } catch (failure) {
      fail(failure);
    }
  };
  const discard = async () => {
    setIsBusy(true);
    try {
      const storedDraft = await fetchDraft(name);
      if (storedDraft) await discardStoredDraft(name, storedDraft.revision);
      deleteSavedDraft(actor.id, name);
      await reload();
      if (storedDraft) {
        const { base, source, text, purge, takes_shipped: takesShipped } = storedDraft;
        const discardedDraft = { base, now: { source, text, unreadable: null, purge, takesShipped } };
        notify(<UndoToast text={`The draft of ${label} was discarded`} onUndo={() => void undo(discardedDraft)} />, {
          type: 'success',
          autoHideDuration: 10_000,
        });
      }
    } catch (failure) {
      fail(failure);
    }
    onClose();
  };
  return (
    <ConfirmDialog
      open
      width={400}
      title={`Discard the draft of ${label}?`}
      question="Its changes are removed. What is published stays as it is."
      confirmLabel="Discard"
      destructive
      isBusy={isBusy}
      onConfirm={() => void discard()}
      onClose={onClose}
    />
  );
}
