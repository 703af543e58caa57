import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';
import { formatClockTime } from '../layout/formatClockTime';
import * as styles from './list.module.css';

interface StaleListNoteProps {
  /** When the list was loaded, in milliseconds since 1970. */
  loadedAt: number;
  onRetry: () => void;
}

/** Says that a list could not be refreshed, and how old its data is. */
export function StaleListNote({ loadedAt, onRetry }: StaleListNoteProps) {
  return (
    <p className={styles.listOld} role="status">
      <Icon name="warning" size={16} />
      <span>This list was last updated at {formatClockTime(loadedAt)}. It could not be refreshed.</span>
      <Button size="small" variant="text" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
