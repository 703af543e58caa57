import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';
import type { UnsettledSave } from './useSaving';

interface UnsettledSaveAlertProps {
  unsettled: UnsettledSave;
  onAgain: () => void;
}

const retryLabels = { unknown: 'Try again', lost: 'Try now', doubtful: undefined, slow: undefined } as const;

/**
 * Explains why a save is not finished: its outcome is unknown, or it waits for the connection. Sending the same values
 * again is safe.
 */
export function UnsettledSaveAlert({ unsettled: { kind, reason }, onAgain }: UnsettledSaveAlertProps) {
  const label = retryLabels[kind];
  const button = label && (
    <Button color="inherit" size="small" onClick={onAgain}>
      {label}
    </Button>
  );
  return (
    <Alert severity={kind === 'slow' ? 'info' : 'warning'} icon={<Icon name="warning" />} action={button}>
      <div>{reason}</div>
      {kind === 'unknown' && (
        <div>You can try again safely as long as you change nothing: the same values are saved only once.</div>
      )}
    </Alert>
  );
}
