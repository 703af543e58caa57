import { fieldTypeOf } from '../../../engine/field-types';
import type { CellProps } from '../fieldComponents';

/** The value as JSON, on one line. */
export function Cell({ field, value }: CellProps) {
  return <code className="cell-text cell-code">{fieldTypeOf(field).toText(value, field)}</code>;
}
