import { timeOfDay } from '../../../engine/field-types/time';
import type { CellProps } from '../part';

/** The time of day, without the day that it may be answered with. */
export function Cell({ field, value }: CellProps) {
  return <span className="cell-text num">{typeof value === 'string' ? timeOfDay(value, field) : ''}</span>;
}
