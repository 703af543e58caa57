import { formatInstant, minuteInTimeZone, parseInstant, sayMinute } from '../../../engine/formats/dates';
import { localTimeZone } from '../../../engine/formats/time-zone';
import { localToday } from '../../data/localTime';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The minute as people say it. Its tooltip has the whole date. */
function Cell({ value }: CellProps) {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (instant === undefined) return null;
  return (
    <span className={styles.cellText} title={formatInstant(instant)}>
      {sayMinute(minuteInTimeZone(localTimeZone(), new Date(instant)), localToday())}
    </span>
  );
}

export default { Cell, relatedWidth: 160 } satisfies DisplayFacets;
