import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { InitialFocusButton } from '../../src/app/dialogs/InitialFocusButton';
import * as styles from './runner.module.css';

const keys: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['P', 'F', 'B', 'S'], does: 'Pass, fail, block or skip the chosen step, or the whole test' },
  { keys: ['1', '9'], does: 'Choose a step; 0 chooses the whole test again' },
  { keys: ['C'], does: 'Comment on the chosen step, or on the whole test' },
  { keys: ['A'], does: 'Add files to the chosen step, or to the whole test' },
  { keys: ['Ctrl', 'V'], does: 'Add a copied picture or file to the chosen step, or to the whole test' },
  { keys: ['D'], does: 'Create a defect' },
  { keys: ['E'], does: 'Edit the test case' },
  { keys: ['J', 'K'], does: 'Next and previous test' },
  { keys: ['Ctrl', 'Enter'], does: 'Save the result and go to the next test that was not run' },
  { keys: ['/'], does: 'Find a test' },
  { keys: ['?'], does: 'Show these keys' },
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
          {keys.map((one) => (
            <div key={one.does}>
              <dt>
                {one.keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{one.does}</dd>
            </div>
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
