import type { FieldOf } from '../../../engine/definitions/definition';
import { formatNumber } from '../../../engine/formats/numbers';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The number of grants. */
function Cell({ value }: CellProps<FieldOf<'permissions'>>) {
  if (!Array.isArray(value)) return null;
  return (
    <span className={`${styles.cellText} num`}>
      {value.length === 1 ? '1 grant' : `${formatNumber(value.length)} grants`}
    </span>
  );
}

export default { Cell, isLabelledBySection: true } satisfies DisplayFacets<FieldOf<'permissions'>>;
