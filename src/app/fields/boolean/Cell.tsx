import { fieldTypeOf } from '../../../engine/field-types';
import { Icon } from '../../icons/Icon';
import type { CellProps } from '../fieldComponents';

/** Yes with a check, or No. */
export function Cell({ field, value }: CellProps) {
  return (
    <span className="cell-text" data-muted={value !== true || undefined}>
      {value === true && <Icon name="check" size={14} />}
      {fieldTypeOf(field).toText(value, field)}
    </span>
  );
}
