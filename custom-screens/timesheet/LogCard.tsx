import { readHours, showMinutes } from '../../src/engine/field-types/duration';
import type { Log } from './figures';

interface LogCardProps {
  log: Log;
  /** What the calendar calls its time while it is moved. */
  time: string;
  /** Says whose it is. */
  named: boolean;
  /** The word for a log with a warning. */
  mark: string | undefined;
}

/** A log as it lies on its day. */
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
