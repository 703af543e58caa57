import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { useId, useState } from 'react';
import { DialogHead } from '../../dialogs/DialogHead';
import type { PlanStep } from '../../../engine/studio/module';
import { firstOf } from '../../../engine/values/lookups';
import { formatCount } from '../formatCount';
import { useDraft } from '../draft';
import { TypeToConfirm } from '../../dialogs/TypeToConfirm';
import { ColumnDownload } from './ColumnDownload';
import { formatSql } from './stepTexts';
import { lossesOf, lossTexts, confirmationWord } from './losses';
import * as chipsStyles from '../../chips/chips.module.css';
import * as studioStyles from '../studio.module.css';
import * as styles from './dialogs.module.css';

interface LossesDialogProps {
  steps: readonly PlanStep[];
  isBusy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** A confirmation before values are lost: what and how many, a download, and a name that has to be typed. */
export function LossesDialog({ steps, isBusy, onConfirm, onClose }: LossesDialogProps) {
  const { module, setPurge } = useDraft();
  const [confirmationText, setConfirmationText] = useState('');
  const id = useId();
  const losses = lossesOf(steps);
  const word = confirmationWord(module, losses);
  const { title, text } = lossTexts(module, losses);
  const allPurged = losses.every(({ isDropped }) => isDropped);
  const agreed = confirmationText.trim() === word;
  return (
    <Dialog
      open
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={isBusy ? undefined : onClose}
      slotProps={{ paper: { className: styles.studioDialog } }}
    >
      <DialogHead id={`${id}-title`} size="small" disabled={isBusy} onClose={onClose}>
        {title}
      </DialogHead>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (agreed && !isBusy) onConfirm();
        }}
      >
        <DialogContent>
          <p id={`${id}-text`}>{text}</p>
          <ul className={styles.studioBox}>
            {losses.map(({ column, step }, index) => (
              <li key={index}>
                <code>{formatSql(step.sql).split(';')[0]}</code>
                <span className={`${chipsStyles.chip} ${studioStyles.studioKind}`} data-tone="urgent">
                  <span>{formatCount(step.rows, 'value')}</span>
                </span>
                {column && <ColumnDownload name={module.name} column={column} />}
              </li>
            ))}
          </ul>
          <TypeToConfirm
            word={word}
            typedText={confirmationText}
            onType={setConfirmationText}
            autoFocus
            hint={
              !allPurged
                ? undefined
                : losses.length > 1
                  ? 'Or hide the fields: their stored values stay.'
                  : `Or hide the field: its ${firstOf(losses).step.kind === 'dropTable' ? 'links' : 'column and values'} stay.`
            }
          />
        </DialogContent>
        <DialogActions>
          {allPurged && (
            <Button
              variant="text"
              color="info"
              size="large"
              className={styles.studioInstead}
              disabled={isBusy}
              onClick={() => {
                setPurge([]);
                onClose();
              }}
            >
              Hide instead
            </Button>
          )}
          <Button variant="outlined" size="large" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="contained" color="error" size="large" disabled={!agreed || isBusy}>
            {allPurged ? 'Purge and publish' : 'Publish'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
