import type { FieldOf } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The amount with its currency, if the record says which. */
function Cell({ field, value, record }: CellProps<FieldOf<'money'>>) {
  return <span className={`${styles.cellText} num`}>{fieldTypeOf(field).toText(value, field, record)}</span>;
}

export default { Cell } satisfies DisplayFacets<FieldOf<'money'>>;
