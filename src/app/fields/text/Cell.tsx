import { typeOf } from '../../../engine/field-types';
import type { CellProps } from '../part';

/** The value as text, on one line. */
export function Cell({ field, value }: CellProps) {
  return <span className="cell-text">{typeOf(field).toText(value, field)}</span>;
}
