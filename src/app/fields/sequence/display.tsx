import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The key. */
function Cell({ value }: CellProps) {
  return typeof value === 'string' ? <span className={`${styles.cellText} ${styles.cellKey}`}>{value}</span> : null;
}

export default { Cell } satisfies DisplayFacets;
