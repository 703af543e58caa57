import { Icon } from '../../src/app/icons/Icon';
import './jobs.css';

const marks = {
  waiting: ['clock', 'Waiting'],
  running: ['activity', 'Running'],
  done: ['check-circle', 'Done'],
  failed: ['warning', 'Failed'],
  cancelled: ['close', 'Cancelled'],
} as const;

/** The state of a job or an email, with its icon. */
export function JobMark({ state }: { state: keyof typeof marks }) {
  const [icon, label] = marks[state];
  return (
    <span className="job-mark" data-state={state}>
      <Icon name={icon} size={16} />
      {label}
    </span>
  );
}
