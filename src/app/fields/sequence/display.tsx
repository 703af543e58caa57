import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The key, with digits of one width. */
function Cell({ value }: CellProps) {
  return typeof value === 'string' ? <span className={`${styles.cellText} num`}>{value}</span> : null;
}

export default { Cell, minWidth: () => 104 } satisfies DisplayFacets;
