import { formatDecimalHours } from './hours';

interface DayTotalProps {
  /** Decimal hours; undefined if nothing was logged. */
  total?: number;
  /** The length of its line, in percent. */
  share?: number;
  waiting: boolean;
}

/** The total hours of a day, and a line of proportional length. */
export function DayTotal({ total, share = 0, waiting }: DayTotalProps) {
  if (waiting) return <span className="skeleton timesheet-total-waiting" aria-hidden="true" />;
  if (total === undefined) return null;
  return (
    <span className="timesheet-total">
      <span>
        <i>Total Hours</i>
        <b className="num">{formatDecimalHours(total)}</b>
      </span>
      <span className="timesheet-meter">
        <s style={{ width: `${share}%` }} />
      </span>
    </span>
  );
}
