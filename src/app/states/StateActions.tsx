import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import { Icon } from '../icons/Icon';
import * as styles from './states.module.css';

export interface StateActionsProps {
  /** Tries again. Without it there is no button. */
  onRetry?: () => void;
  /** Where to go instead. */
  link?: { to: string; label: string };
}

/** The buttons of a state: one that tries again and one that leads elsewhere, as far as there are any. */
export function StateActions({ onRetry, link }: StateActionsProps) {
  if (!onRetry && !link) return null;
  return (
    <div className={styles.stateActions}>
      {onRetry && (
        <Button variant="contained" startIcon={<Icon name="undo" />} onClick={onRetry}>
          Try again
        </Button>
      )}
      {link && (
        <Button variant={onRetry ? 'outlined' : 'contained'} component={Link} to={link.to}>
          {link.label}
        </Button>
      )}
    </div>
  );
}
