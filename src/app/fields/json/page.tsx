import type { CellProps, PageFacets } from '../fieldType';
import * as styles from '../page-values.module.css';

/** With a line for each property. */
function Value({ value }: CellProps) {
  return <pre className={styles.valueCode}>{JSON.stringify(value, null, 2)}</pre>;
}

export default { Value } satisfies PageFacets;
