import { readHours, showMinutes } from '../../src/engine/field-types/duration';
import type { Log } from './figures';

/** A log as it lies on its day. `time` is what the calendar calls its time while it is moved; `named` says whose it is. */
export function LogCard({ log, time, named }: { log: Log; time: string; named: boolean }) {
  return (
    <div className="timesheet-card">
      <b>{log.task?.name}</b>
      {named && <span>{log.user?.name}</span>}
      <span className="num">
        {time} <i>{showMinutes(readHours(log.total_duration))}</i>
      </span>
      {log.comments && <small>{log.comments}</small>}
    </div>
  );
}
