import { formatTime } from '../../../engine/field-types/time';
import type { CellProps } from '../fieldComponents';

/** The time of day, after its day if the value has one. */
export function Cell({ field, value }: CellProps) {
  return <span className="cell-text num">{typeof value === 'string' ? formatTime(value, field) : ''}</span>;
}
