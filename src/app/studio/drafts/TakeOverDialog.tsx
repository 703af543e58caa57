import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useId, useState } from 'react';
import { diffDefinitions, type DefinitionChange } from '../../../engine/studio/diff-definitions';
import type { ModuleDraft, WholeModuleDraft } from '../../../engine/studio/module-draft';
import { draftKeys, fetchDraft, takeDraftOver } from '../draft/draftApi';
import { timeAgo } from '../timeAgo';
import { ChangeText } from '../versions/ChangeText';
import * as dialogStyles from '../plan/dialogs.module.css';
import * as styles from './drafts.module.css';

interface TakeOverDialogProps {
  draft: ModuleDraft;
  /** Whether the user has a draft of the module, which prevents it. */
  hasOwn: boolean;
  onDone: () => void;
  onClose: () => void;
}

/** The changes of a colleague's draft, and the button that takes it over. */
export function TakeOverDialog({ draft, hasOwn, onDone, onClose }: TakeOverDialogProps) {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const id = useId();
  const [isBusy, setIsBusy] = useState(false);
  const { user, name, label, revision } = draft;
  const { data, error } = useQuery({
    queryKey: draftKeys.of(name, user.id, revision),
    queryFn: ({ signal }) => fetchDraft(name, signal, user.id),
    retry: false,
    meta: { quiet: true },
  });
  const takeOver = async () => {
    setIsBusy(true);
    try {
      await takeDraftOver(draft);
      onDone();
      await queryClient.invalidateQueries({ queryKey: [draftKeys.all[0]] });
      const message = `The draft of ${label} is yours now`;
      notify(message, { type: 'success', messageArgs: { _: message } });
    } catch (failure) {
      const { message } = failure as Error;
      notify(message, { type: 'error', messageArgs: { _: message } });
    }
    onClose();
  };
  return (
    <Dialog
      open
      aria-labelledby={`${id}-title`}
      onClose={isBusy ? undefined : onClose}
      slotProps={{ paper: { className: dialogStyles.studioDialog } }}
    >
      <DialogTitle id={`${id}-title`} component="h2">
        {user.name}’s draft of {label}
      </DialogTitle>
      <DialogContent>
        <p>
          Based on version {draft.base_version}, changed {timeAgo(draft.updated_at)}.{' '}
          {hasOwn
            ? 'You have a draft of this module yourself: publish or discard it first.'
            : `When you take it over, ${user.name} is notified and it is no longer theirs.`}
        </p>
        {error && <p role="alert">{error.message}</p>}
        {data === null && <p role="status">This draft was published, discarded or handed over just now.</p>}
        {data && <Changes draft={data} />}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" size="large" autoFocus disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" size="large" disabled={hasOwn || isBusy || !data} onClick={() => void takeOver()}>
          Take over
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Changes({ draft }: { draft: WholeModuleDraft }) {
  const changes = changesOf(draft);
  if (changes === null) return <p>It is not a complete definition yet.</p>;
  if (changes.length === 0) return <p>It differs from its version in nothing that can be told in words.</p>;
  return (
    <ul className={styles.draftChanges} aria-label="What it changes">
      {changes.map((change, index) => (
        <li key={index}>
          <ChangeText change={change} />
        </li>
      ))}
    </ul>
  );
}

/** The changes in words; null if the draft is not a complete definition. */
function changesOf({ base, source }: WholeModuleDraft): readonly DefinitionChange[] | null {
  try {
    return diffDefinitions(base.source, source);
  } catch {
    return null;
  }
}
