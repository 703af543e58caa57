import type { FieldOf } from '../../../engine/definitions/definition';
import { fieldTypeOf } from '../../../engine/field-types';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The value as JSON, on one line. */
function Cell({ field, value }: CellProps<FieldOf<'json'>>) {
  return <code className={`${styles.cellText} ${styles.cellCode}`}>{fieldTypeOf(field).toText(value, field)}</code>;
}

export default { Cell } satisfies DisplayFacets<FieldOf<'json'>>;
