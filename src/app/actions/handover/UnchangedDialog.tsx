import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { formatNumber } from '../../../engine/formats/numbers';
import { useDefinitions } from '../../data/DefinitionsContext';
import { InitialFocusButton } from '../../dialogs/InitialFocusButton';
import type { Unchanged } from './deleteRecord';

interface UnchangedDialogProps {
  unchangedRecords: Unchanged;
  onClose: () => void;
}

/** Names the records that were not handed over, after the one that they are assigned to was deleted. */
export function UnchangedDialog({ unchangedRecords: { count, records }, onClose }: UnchangedDialogProps) {
  const { registry } = useDefinitions();
  const id = useId();
  const title = `${formatNumber(count)} ${count === 1 ? 'record was' : 'records were'} not handed over`;
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} maxWidth="sm" fullWidth>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent>
        <Box component="ul" sx={{ pl: 5, listStyle: 'disc' }}>
          {records.map((record) => (
            <li key={`${record.resource} ${record.id}`}>
              {registry.getOrThrow(record.resource).labels.one}{' '}
              <a href={`/${record.resource}/${record.id}`} target="_blank" rel="noreferrer">
                {record.title}
              </a>
              : {record.message}
            </li>
          ))}
        </Box>
        {count > records.length && <p>And {formatNumber(count - records.length)} more.</p>}
      </DialogContent>
      <DialogActions>
        <InitialFocusButton variant="outlined" size="large" onClick={onClose}>
          Close
        </InitialFocusButton>
      </DialogActions>
    </Dialog>
  );
}
