import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { tableOf } from '../../../src/engine/definitions/labels';
import type { Module } from '../../../src/engine/studio/module';
import { TypedWord } from '../../../src/app/dialogs/TypedWord';

interface PurgeDialogProps {
  module: Module;
  busy: boolean;
  onPurge: () => void;
  onClose: () => void;
}

/** Asks for the name of a retired module before its table is dropped. */
export function PurgeDialog({ module, busy, onPurge, onClose }: PurgeDialogProps) {
  const { name, labels } = module;
  const [typed, setTyped] = useState('');
  const id = useId();
  const sure = typed.trim() === name;
  return (
    <Dialog
      open
      onClose={busy ? undefined : onClose}
      aria-labelledby={`${id}-title`}
      slotProps={{ paper: { sx: { width: 480, maxWidth: 'calc(100% - 32px)', m: 4 } } }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (sure) onPurge();
        }}
      >
        <DialogTitle id={`${id}-title`}>Purge the table of {labels.many}?</DialogTitle>
        <DialogContent sx={{ pt: '16px !important' }}>
          <p>
            Every record of {labels.many} goes away in every company, with its history and its versions. Nothing brings
            them back.
          </p>
          <p className="studio-statement">drop table {tableOf(name)}</p>
          <TypedWord
            word={name}
            typed={typed}
            onType={setTyped}
            autoFocus
            hint="Or leave it retired: its table and its records stay."
          />
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" size="large" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="error" size="large" disabled={!sure || busy}>
            Purge the table
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
