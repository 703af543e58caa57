import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useId, useState } from 'react';
import type { Module } from '../../../engine/studio/module';
import { useDefinitions } from '../../data/DefinitionsContext';
import { createModule, moduleKeys, planModule, restoreVersion, modulesKey } from '../api';
import { discardStoredDraft, draftKeys } from '../draft/draftApi';
import { deleteSavedDraft } from '../draft/savedDraft';
import { lossesOf, confirmationWord } from '../plan/losses';
import { TypeToConfirm } from '../../dialogs/TypeToConfirm';
import { LabelledInput } from '../properties/LabelledInput';
import { RestorePlan } from './RestorePlan';
import type { ComparedSide } from './sides';
import * as styles from '../plan/dialogs.module.css';
import { requireValue } from '../../../engine/values/lookups';

interface RestoreDialogProps {
  module: Module;
  /** A version, not the draft. */
  side: ComparedSide;
  onDone: () => void;
  onClose: () => void;
}

/** A confirmation before an earlier version is published again: its plan, and a name to type if values would be lost. */
export function RestoreDialog({ module, side, onDone, onClose }: RestoreDialogProps) {
  const { actor } = useDefinitions();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [confirmationText, setConfirmationText] = useState('');
  const [note, setNote] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const id = useId();
  const version = requireValue(side.version, 'the version to restore');
  const { data: plan, error } = useQuery({
    queryKey: [modulesKey, 'plan', module.name, module.version, version],
    queryFn: ({ signal }) => planModule(module.name, side.source, { signal }),
    enabled: !side.current,
    retry: false,
    meta: { quiet: true },
  });
  const losses = plan?.steps.filter(({ destructive }) => destructive) ?? [];
  const word = losses.length > 0 ? confirmationWord(module, lossesOf(losses)) : '';
  const isReady = side.current || (plan?.valid === true && confirmationText.trim() === word);
  const restore = async () => {
    setIsBusy(true);
    try {
      if (side.current) {
        await discardStoredDraft(module.name);
        deleteSavedDraft(actor.id, module.name);
      }
      const successText = side.current ? 'The draft was discarded' : await publish();
      await queryClient.invalidateQueries({ queryKey: draftKeys.own(module.name) });
      notify(successText, { type: 'success', messageArgs: { _: successText } });
      onDone();
    } catch (failure) {
      const { message } = failure as Error;
      notify(message, { type: 'error', messageArgs: { _: message } });
    }
    onClose();
  };
  const publish = async () => {
    const confirm = losses.length > 0;
    const storedModule = await (module.retired
      ? createModule(side.source, confirm, note.trim())
      : restoreVersion(module.name, version, confirm, note.trim()));
    queryClient.setQueryData(moduleKeys.one(module.name), storedModule);
    await queryClient.invalidateQueries({ queryKey: [modulesKey] });
    return `Version ${version} is published again, as version ${storedModule.version}`;
  };
  return (
    <Dialog
      open
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={isBusy ? undefined : onClose}
      slotProps={{ paper: { className: styles.studioDialog } }}
    >
      <DialogTitle id={`${id}-title`} component="h2">
        Restore version {version}?
      </DialogTitle>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy) void restore();
        }}
      >
        <DialogContent>
          <p id={`${id}-text`}>
            {side.current
              ? `Version ${version} is published already. Your draft is discarded, and nothing else changes.`
              : `It is published again as version ${module.version + 1}, for everybody at once. Later versions stay in the list, and columns that it does not use keep their values.`}
          </p>
          {!side.current && <RestorePlan module={module} plan={plan} error={error} />}
          {!side.current && (
            <LabelledInput label="Note for this version">
              {({ id: input }) => (
                <OutlinedInput
                  id={input}
                  size="small"
                  fullWidth
                  autoComplete="off"
                  placeholder="What changes, and why"
                  value={note}
                  onChange={(event) => setNote(event.target.value)}
                  slotProps={{ input: { maxLength: 500 } }}
                />
              )}
            </LabelledInput>
          )}
          {word && <TypeToConfirm word={word} typedText={confirmationText} onType={setConfirmationText} />}
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" size="large" autoFocus disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant="contained"
            color={losses.length > 0 ? 'error' : 'primary'}
            size="large"
            disabled={!isReady || isBusy}
          >
            {side.current ? 'Discard draft' : 'Restore'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
