import { formatDecimalHours } from './hours';
import * as statesStyles from '../../src/app/states/states.module.css';
import * as styles from './calendar.module.css';

interface DayTotalProps {
  /** Decimal hours; undefined if nothing was logged. */
  total?: number;
  /** The length of its line, in percent. */
  share?: number;
  isLoading: boolean;
}

/** The total hours of a day, and a line of proportional length. */
export function DayTotal({ total, share = 0, isLoading }: DayTotalProps) {
  if (isLoading)
    return <span className={`${statesStyles.skeleton} ${styles.timesheetTotalWaiting}`} aria-hidden="true" />;
  if (total === undefined) return null;
  return (
    <span className={styles.timesheetTotal}>
      <span>
        <i>Total Hours</i>
        <b className="num">{formatDecimalHours(total)}</b>
      </span>
      <span className={styles.timesheetMeter}>
        <s style={{ width: `${share}%` }} />
      </span>
    </span>
  );
}
