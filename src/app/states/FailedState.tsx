import { Icon } from '../icons/Icon';
import { useLostConnection, useReconnection } from '../session/connection';
import { NotOpened } from './lazyComponent';
import { StateActions, type StateActionsProps } from './StateActions';
import * as styles from './states.module.css';

export interface FailedStateProps extends StateActionsProps {
  /** The failure, such as "Countries could not be loaded". */
  title: string;
  /** The reason, if known. */
  message?: string;
}

/** Shown if something could not be loaded. */
export function FailedState({ title, message, onRetry, link }: FailedStateProps) {
  const isLost = useLostConnection() !== null;
  useReconnection(() => onRetry?.());
  if (isLost) return <NotOpened {...{ title, onRetry, link }} />;
  return (
    <div className={styles.state} role="alert">
      <Icon name="warning" size={24} className={styles.stateWarning} />
      <h2>{title}</h2>
      {message && <p>{message}</p>}
      <StateActions {...{ onRetry, link }} />
    </div>
  );
}
