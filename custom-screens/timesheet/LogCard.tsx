import { readHours, showMinutes } from '../../src/engine/field-types/duration';
import type { Log } from './figures';

interface LogCardProps {
  log: Log;
  /** Its time as the calendar formats it, also while it is dragged. */
  time: string;
  /** Whether to show whose log it is. */
  named: boolean;
  /** The label of a log with a warning. */
  mark: string | undefined;
}

/** A log in the grid of a day. */
export function LogCard({ log, time, named, mark }: LogCardProps) {
  return (
    <div className="timesheet-card" title={log.warning ?? undefined}>
      <b>{log.task?.name}</b>
      {log.warning && mark && (
        <span className="chip timesheet-mark" data-tone="high">
          {mark}
        </span>
      )}
      {named && <span>{log.user?.name}</span>}
      <span className="num">
        {time} <i>{showMinutes(readHours(log.total_duration))}</i>
      </span>
      {log.comments && <small>{log.comments}</small>}
    </div>
  );
}
