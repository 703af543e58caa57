import { typeOf } from '../../../engine/field-types';
import type { CellProps } from '../part';

/** The number with the digits that its field shows; ids are muted. */
export function Cell({ field, value }: CellProps) {
  return (
    <span className="cell-text num" data-muted={field.name === 'id' || undefined}>
      {typeOf(field).toText(value, field)}
    </span>
  );
}
