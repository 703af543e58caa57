import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { DialogHead } from '../../dialogs/DialogHead';
import type { PlanStep } from '../../../engine/studio/module';
import { InitialFocusButton } from '../../dialogs/InitialFocusButton';
import { useDraft } from '../draft';
import { recordsPath } from './PlanTable';
import { stepEffect } from './stepTexts';
import * as styles from './dialogs.module.css';

interface RulesDialogProps {
  steps: readonly PlanStep[];
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * A confirmation before publishing rules that stored records break. Where they violate what the database guarantees, it
 * only says which.
 */
export function RulesDialog({ steps, isBusy, onConfirm, onClose }: RulesDialogProps) {
  const { module } = useDraft();
  const id = useId();
  const forbidden = steps.some((step) => step.forbidden);
  return (
    <Dialog
      open
      role="alertdialog"
      aria-labelledby={id}
      onClose={isBusy ? undefined : onClose}
      slotProps={{ paper: { className: styles.studioDialog } }}
    >
      <DialogHead id={id} size="small" disabled={isBusy} onClose={onClose}>
        {forbidden ? 'Some records do not allow this' : 'Some records break a new rule'}
      </DialogHead>
      <DialogContent>
        <p>
          {forbidden
            ? 'The database guarantees this for every record. Fix these first, then publish.'
            : 'They stay unchanged. Whoever edits one of them next has to fix it.'}
        </p>
        <ul className={styles.studioBox}>
          {steps.map((step, index) => (
            <li key={index}>
              <span>{step.text}</span>
              {step.records && step.records.length > 0 ? (
                <Link to={recordsPath(module.name, step.records)} target="_blank">
                  Show them
                </Link>
              ) : (
                <small>{stepEffect(step)}</small>
              )}
            </li>
          ))}
        </ul>
      </DialogContent>
      <DialogActions>
        <InitialFocusButton variant="outlined" size="large" disabled={isBusy} onClick={onClose}>
          {forbidden ? 'Close' : 'Cancel'}
        </InitialFocusButton>
        {!forbidden && (
          <Button variant="contained" size="large" disabled={isBusy} onClick={onConfirm}>
            Publish anyway
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
