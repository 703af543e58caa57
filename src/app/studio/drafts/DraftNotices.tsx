import Button from '@mui/material/Button';
import { useState } from 'react';
import type { WholeModuleDraft } from '../../../engine/studio/module-draft';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { useDraftPart, useDraftStore } from '../draft';
import { useDraftSaver, useSavingState } from '../draft/DraftSaving';
import { deleteSavedDraft, fromServer, saveDraft } from '../draft/savedDraft';
import { timeAgo } from '../timeAgo';
import { fetchDraft } from '../draft/draftApi';
import { useDrafts } from './DraftList';
import { TakeOverDialog } from './TakeOverDialog';
import * as styles from '../studio.module.css';
import { requireValue } from '../../../engine/values/lookups';

/** Notices above the editor about drafts: a conflict with another window, one that cannot be saved, and those of colleagues. */
export function DraftNotices() {
  const state = useSavingState();
  return (
    <>
      {state.kind === 'conflict' && <DraftConflict remoteDraft={state.remoteDraft} />}
      {state.kind === 'failed' && (
        <div className={styles.studioNotice} aria-label="Draft not saved" role="alert">
          <Icon name="warning" />
          <p>The draft is kept in this browser only: {state.message}</p>
        </div>
      )}
      <ColleaguesDrafts />
    </>
  );
}

/** The notice that the stored draft was changed or ended in another browser while something was typed here. */
function DraftConflict({ remoteDraft }: { remoteDraft: WholeModuleDraft | null }) {
  const { actor } = useDefinitions();
  const store = useDraftStore();
  const saver = requireValue(useDraftSaver(), 'the saver of the draft');
  const useTheirs = () => {
    const draft = remoteDraft && fromServer(remoteDraft);
    const { name } = store.get().module;
    saver.adopt(draft?.revision ?? 0);
    if (draft) saveDraft(actor.id, name, draft);
    else deleteSavedDraft(actor.id, name);
    store.get().follow(draft);
  };
  return (
    <div className={styles.studioNotice} aria-label="Changed in another window" role="alert">
      <Icon name="warning" />
      <p>
        {remoteDraft
          ? `This draft was changed in another browser, ${timeAgo(remoteDraft.updated_at)}. What you see here is not saved yet.`
          : 'This draft was published, discarded or handed over in another browser. What you see here is not saved.'}
      </p>
      <Button size="small" variant="outlined" onClick={() => saver.keepMine()}>
        {remoteDraft ? 'Keep this one' : 'Save it as a new draft'}
      </Button>
      <Button size="small" variant="text" onClick={useTheirs}>
        {remoteDraft ? 'Use the other one' : 'Drop it'}
      </Button>
    </div>
  );
}

/** Notices about drafts that colleagues have of the module. */
function ColleaguesDrafts() {
  const { actor } = useDefinitions();
  const store = useDraftStore();
  const saver = useDraftSaver();
  const name = useDraftPart(({ module }) => module.name);
  const drafts = useDrafts()?.filter((draft) => draft.name === name) ?? [];
  const [draftToTake, setDraftToTake] = useState<(typeof drafts)[number] | null>(null);
  const otherDrafts = drafts.filter(({ user }) => user.id !== actor.id);
  const load = async () => {
    const storedDraft = await fetchDraft(name).catch(() => null);
    if (!storedDraft) return;
    saver?.adopt(storedDraft.revision);
    saveDraft(actor.id, name, fromServer(storedDraft));
    store.get().follow(fromServer(storedDraft));
  };
  return (
    <>
      {otherDrafts.map((draft) => (
        <div
          key={draft.user.id}
          className={styles.studioNotice}
          aria-label={`Draft of ${draft.user.name}`}
          role="status"
        >
          <Icon name="pencil" />
          <p>
            {draft.user.name} has a draft of this module, changed {timeAgo(draft.updated_at)}.
          </p>
          <Button size="small" variant="outlined" onClick={() => setDraftToTake(draft)}>
            Take over…
          </Button>
        </div>
      ))}
      {draftToTake && (
        <TakeOverDialog
          draft={draftToTake}
          hasOwn={drafts.length > otherDrafts.length}
          onDone={() => void load()}
          onClose={() => setDraftToTake(null)}
        />
      )}
    </>
  );
}
