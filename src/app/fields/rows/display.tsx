import type { FieldOf } from '../../../engine/definitions/definition';
import { formatNumber } from '../../../engine/formats/numbers';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The number of rows. */
function Cell({ field, value, record }: CellProps<FieldOf<'rows'>>) {
  const count = Array.isArray(value) ? value.length : record[field.countName];
  if (typeof count !== 'number') return null;
  return (
    <span className={`${styles.cellText} num`} data-muted={count === 0 || undefined}>
      {formatNumber(count)}
    </span>
  );
}

export default { Cell, inputHeight: () => 180 } satisfies DisplayFacets<FieldOf<'rows'>>;
