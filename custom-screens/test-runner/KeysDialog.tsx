import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { InitialFocusButton } from '../../src/app/dialogs/InitialFocusButton';
import * as styles from './runner.module.css';

const keys: readonly { keys: readonly string[]; description: string }[] = [
  { keys: ['P', 'F', 'B', 'S'], description: 'Pass, fail, block or skip the chosen step, or the whole test' },
  { keys: ['N'], description: 'Pass the test and go to the next one that was not run' },
  { keys: ['1', '9'], description: 'Choose a step; 0 chooses the whole test again' },
  { keys: ['C'], description: 'Comment on the chosen step, or on the whole test' },
  { keys: ['A'], description: 'Add files to the chosen step, or to the whole test' },
  { keys: ['Ctrl', 'V'], description: 'Add a copied picture or file to the chosen step, or to the whole test' },
  { keys: ['D'], description: 'Create a defect' },
  { keys: ['E'], description: 'Edit the test case' },
  { keys: ['J', 'K'], description: 'Next and previous test' },
  { keys: ['Ctrl', 'Enter'], description: 'Save the result and go to the next test that was not run' },
  { keys: ['/'], description: 'Find a test' },
  { keys: ['?'], description: 'Show these keys' },
];

interface KeysDialogProps {
  open: boolean;
  /** Whether single letters do something. */
  enabled: boolean;
  onEnable: (enabled: boolean) => void;
  onClose: () => void;
}

/** The keys of the screen, and whether they are on. */
export function KeysDialog({ open, enabled, onEnable, onClose }: KeysDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby="keys-title">
      <DialogTitle id="keys-title">Keyboard</DialogTitle>
      <DialogContent>
        <dl className={styles.keyList}>
          {keys.map((row) => (
            <Box sx={{ display: 'grid', gridTemplateColumns: '96px 1fr', gap: 3 }} key={row.description}>
              <dt>
                {row.keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{row.description}</dd>
            </Box>
          ))}
        </dl>
        <FormControlLabel
          control={<Switch checked={enabled} onChange={(_, checked) => onEnable(checked)} />}
          label="Single keys work while no text is edited"
        />
      </DialogContent>
      <DialogActions>
        <InitialFocusButton variant="outlined" size="large" onClick={onClose}>
          Close
        </InitialFocusButton>
      </DialogActions>
    </Dialog>
  );
}
