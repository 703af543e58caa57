import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import { Icon } from '../icons/Icon';
import { useLostConnection, useReconnection } from '../session/connection';
import { NotOpened } from './lazyComponent';
import * as styles from './states.module.css';

export interface FailedStateProps {
  /** The failure, such as "Countries could not be loaded". */
  title: string;
  /** The reason, if known. */
  message?: string;
  /** Tries again. Without it there is no button. */
  onRetry?: () => void;
  /** Where to go instead. */
  link?: { to: string; label: string };
}

/** Shown if something could not be loaded. */
export function FailedState({ title, message, onRetry, link }: FailedStateProps) {
  const isLost = useLostConnection() !== null;
  useReconnection(() => onRetry?.());
  if (isLost) return <NotOpened title={title} />;
  return (
    <div className={styles.state} role="alert">
      <Icon name="warning" size={24} className={styles.stateWarning} />
      <h2>{title}</h2>
      {message && <p>{message}</p>}
      {(onRetry || link) && (
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
      )}
    </div>
  );
}
