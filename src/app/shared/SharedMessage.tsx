import { SharedPage } from './SharedPage';
import * as styles from './shared.module.css';

interface SharedMessageProps {
  note: string;
  title: string;
  message: string;
  /** The button's label and action. */
  action: string;
  onAction: () => void;
}

/** Shown instead of a shared record: why it is not available, and what to do. */
export function SharedMessage({ note, title, message, action, onAction }: SharedMessageProps) {
  return (
    <SharedPage note={note}>
      <div className={styles.sharedFailed} role="alert">
        <h1>{title}</h1>
        <p>{message}</p>
        <button type="button" onClick={onAction}>
          {action}
        </button>
      </div>
    </SharedPage>
  );
}
