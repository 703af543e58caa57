import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';

interface UnsureProps {
  /** Why nobody knows whether the values are stored. */
  reason: string;
  onAgain: () => void;
}

/** Says that what was saved may or may not be stored, and offers to send it again, which is safe. */
export function Unsure({ reason, onAgain }: UnsureProps) {
  const again = (
    <Button color="inherit" size="small" onClick={onAgain}>
      Try again
    </Button>
  );
  return (
    <Alert severity="warning" icon={<Icon name="warning" />} action={again}>
      <div>{reason}</div>
      <div>Trying again is safe as long as you change nothing: the same values are stored only once.</div>
    </Alert>
  );
}
