import type { CellProps, PageFacets } from '../fieldType';
import * as styles from '../page-values.module.css';

/** With its lines. */
function Value({ value }: CellProps) {
  return <p className={styles.valueLines}>{String(value)}</p>;
}

export default { Value } satisfies PageFacets;
