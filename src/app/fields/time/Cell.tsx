import { showTime } from '../../../engine/field-types/time';
import type { CellProps } from '../part';

/** The time of day, after the day that it lies on where it was answered with one. */
export function Cell({ field, value }: CellProps) {
  return <span className="cell-text num">{typeof value === 'string' ? showTime(value, field) : ''}</span>;
}
