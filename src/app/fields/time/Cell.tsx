import { showTime } from '../../../engine/field-types/time';
import type { CellProps } from '../part';

/** The time of day, after its day if the value has one. */
export function Cell({ field, value }: CellProps) {
  return <span className="cell-text num">{typeof value === 'string' ? showTime(value, field) : ''}</span>;
}
