import { typeOf } from '../../../engine/field-types';
import type { CellProps } from '../part';

/** The formatted day or instant. */
export function Cell({ field, value }: CellProps) {
  return <span className="cell-text">{typeOf(field).toText(value, field)}</span>;
}
