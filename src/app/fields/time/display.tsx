import type { FieldOf } from '../../../engine/definitions/definition';
import { formatTime, timeOfDay, toClock } from '../../../engine/field-types/time';
import { sayMinute } from '../../../engine/formats/dates';
import { localToday } from '../../data/localTime';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The time of day, after its day as people say it if the value has one; the tooltip has the whole date then. */
function Cell({ field, value }: CellProps<FieldOf<'time'>>) {
  if (typeof value !== 'string') return null;
  const fullText = formatTime(value, field);
  const time = timeOfDay(value, field);
  const hasDay = time !== value;
  return (
    <span className={`${styles.cellText} num`} title={hasDay ? fullText : undefined}>
      {hasDay ? sayMinute(`${value.slice(0, 10)} ${toClock(time)}`, localToday()) : fullText}
    </span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'time'>>;
