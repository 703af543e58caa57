import { typeOf } from '../../../engine/field-types';
import type { CellProps } from '../part';

/** The day or instant as its readers write it. */
export function Cell({ field, value }: CellProps) {
  return <span className="cell-text">{typeOf(field).toText(value, field)}</span>;
}
