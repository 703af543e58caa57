import Button from '@mui/material/Button';
import { Icon } from '../icons/Icon';
import './states.css';

export interface FailedStateProps {
  /** What did not work, as in "Countries could not be loaded". */
  title: string;
  /** Why, as far as it is known. */
  message?: string;
  /** Tries again. Without it there is no button. */
  onRetry?: () => void;
}

/** What stands where something could not be loaded. */
export function FailedState({ title, message, onRetry }: FailedStateProps) {
  return (
    <div className="state" role="alert">
      <Icon name="warning" size={24} className="state-warning" />
      <h2>{title}</h2>
      {message && <p>{message}</p>}
      {onRetry && (
        <div className="state-actions">
          <Button variant="contained" startIcon={<Icon name="undo" />} onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
