import { fieldTypeOf } from '../../../engine/field-types';
import type { CellProps } from '../fieldComponents';

/** The formatted day or instant. */
export function Cell({ field, value }: CellProps) {
  return <span className="cell-text">{fieldTypeOf(field).toText(value, field)}</span>;
}
