import type { FieldOf } from '../../../engine/definitions/definition';
import { formatTime } from '../../../engine/field-types/time';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The time of day, after its day if the value has one. */
function Cell({ field, value }: CellProps<FieldOf<'time'>>) {
  return <span className={`${styles.cellText} num`}>{typeof value === 'string' ? formatTime(value, field) : ''}</span>;
}

export default { Cell } satisfies DisplayFacets<FieldOf<'time'>>;
