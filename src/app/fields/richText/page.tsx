import { RichText } from './RichText';
import type { CellProps, PageFacets } from '../fieldType';
import * as styles from '../page-values.module.css';

function Value({ value }: CellProps) {
  return <RichText html={String(value)} className={styles.valueRich} />;
}

export default { Value } satisfies PageFacets;
