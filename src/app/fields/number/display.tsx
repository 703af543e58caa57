import type { FieldOf } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The number with its field's digits; ids are muted. */
function Cell({ field, value }: CellProps<FieldOf<'number'>>) {
  return (
    <span className={`${styles.cellText} num`} data-muted={field.name === 'id' || undefined}>
      {fieldTypeOf(field).toText(value, field)}
    </span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'number'>>;
