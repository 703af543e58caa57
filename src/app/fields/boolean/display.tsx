import type { FieldOf } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import { Icon } from '../../icons/Icon';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** Yes with a check, or No. */
function Cell({ field, value }: CellProps<FieldOf<'boolean'>>) {
  return (
    <span className={styles.cellText} data-muted={value !== true || undefined}>
      {value === true && <Icon name="check" size={14} />}
      {fieldTypeOf(field).toText(value, field)}
    </span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'boolean'>>;
