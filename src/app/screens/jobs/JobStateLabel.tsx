import { Icon } from '../../icons/Icon';
import * as styles from './jobs.module.css';

const stateMarks = {
  waiting: ['clock', 'Waiting'],
  running: ['activity', 'Running'],
  done: ['check-circle', 'Done'],
  failed: ['warning', 'Failed'],
  cancelled: ['close', 'Cancelled'],
} as const;

/** The state of a job or an email, with its icon. */
export function JobStateLabel({ state }: { state: keyof typeof stateMarks }) {
  const [icon, label] = stateMarks[state];
  return (
    <span className={styles.jobMark} data-state={state}>
      <Icon name={icon} size={16} />
      {label}
    </span>
  );
}
