import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useId, useState } from 'react';
import { draftKeys, fetchRecipients, handDraftOver } from '../draft/draftApi';
import { LabelledInput } from '../properties/LabelledInput';
import * as styles from '../plan/dialogs.module.css';

interface HandOverDialogProps {
  name: string;
  /** The module's label in the draft. */
  label: string;
  /** The revision to hand over; awaited before it is sent. */
  revision: () => number | Promise<number>;
  onDone: () => void;
  onClose: () => void;
}

/** Asks to whom the user's draft goes, and hands it over. */
export function HandOverDialog({ name, label, revision, onDone, onClose }: HandOverDialogProps) {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const id = useId();
  const [recipientId, setRecipientId] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const { data: people, error } = useQuery({
    queryKey: draftKeys.recipients(name),
    queryFn: ({ signal }) => fetchRecipients(name, signal),
    retry: false,
    meta: { quiet: true },
  });
  const recipient = people?.find((person) => String(person.id) === recipientId);
  const handOver = async () => {
    if (!recipient || isBusy) return;
    setIsBusy(true);
    try {
      await handDraftOver(name, recipient.id, await revision());
      onDone();
      await queryClient.invalidateQueries({ queryKey: [draftKeys.all[0]] });
      const message = `${recipient.name} has the draft of ${label} now`;
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
      slotProps={{ paper: { className: `${styles.studioDialog} ${styles.studioAdd}` } }}
    >
      <DialogTitle id={`${id}-title`} component="h2">
        Hand over the draft of {label}
      </DialogTitle>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void handOver();
        }}
      >
        <DialogContent>
          <p>The colleague is notified, can change it, and can publish it. It is no longer yours then.</p>
          {error && <p role="alert">{error.message}</p>}
          {people?.length === 0 && (
            <p role="status">There is no other active administrator of the installation to hand it over to.</p>
          )}
          {people && people.length > 0 && (
            <LabelledInput label="Administrator">
              {({ id: input }) => (
                <Select
                  inputProps={{ id: input, 'aria-label': 'Administrator' }}
                  size="small"
                  fullWidth
                  autoFocus
                  displayEmpty
                  value={recipientId}
                  onChange={({ target }) => setRecipientId(target.value)}
                  renderValue={(value) => people.find((person) => String(person.id) === value)?.name ?? 'Choose'}
                >
                  {people.map((person) => (
                    <MenuItem key={person.id} value={String(person.id)} disabled={person.has_draft}>
                      {person.name}
                      {person.has_draft && ' (has a draft of it already)'}
                    </MenuItem>
                  ))}
                </Select>
              )}
            </LabelledInput>
          )}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" size="large" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" size="large" disabled={!recipient || isBusy}>
            Hand over
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
