import { typeOf } from '../../../engine/field-types';
import type { CellProps } from '../part';

/** The value as JSON, on one line. */
export function Cell({ field, value }: CellProps) {
  return <code className="cell-text cell-code">{typeOf(field).toText(value, field)}</code>;
}
