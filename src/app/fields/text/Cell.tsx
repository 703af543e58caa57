import { fieldTypeOf } from '../../../engine/field-types';
import type { CellProps } from '../fieldComponents';

/** The value as text, on one line. */
export function Cell({ field, value }: CellProps) {
  return <span className="cell-text">{fieldTypeOf(field).toText(value, field)}</span>;
}
