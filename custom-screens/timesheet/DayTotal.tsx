import { hoursInWords } from './hours';

interface DayTotalProps {
  /** Decimal hours; nothing was logged where it is missing. */
  total?: number;
  /** How much of its line is filled, in percent. */
  share?: number;
  waiting: boolean;
}

/** What was logged on a day, and a line as long as that. */
export function DayTotal({ total, share = 0, waiting }: DayTotalProps) {
  if (waiting) return <span className="skeleton timesheet-total-waiting" aria-hidden="true" />;
  if (total === undefined) return null;
  return (
    <span className="timesheet-total">
      <span>
        <i>Total Hours</i>
        <b className="num">{hoursInWords(total)}</b>
      </span>
      <span className="timesheet-meter">
        <s style={{ width: `${share}%` }} />
      </span>
    </span>
  );
}
