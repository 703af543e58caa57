import { fieldTypeOf } from '../../../engine/field-types';
import type { CellProps } from '../fieldComponents';

/** The number with its field's digits; ids are muted. */
export function Cell({ field, value }: CellProps) {
  return (
    <span className="cell-text num" data-muted={field.name === 'id' || undefined}>
      {fieldTypeOf(field).toText(value, field)}
    </span>
  );
}
