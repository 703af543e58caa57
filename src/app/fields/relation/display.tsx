import type { FieldOf } from '../../../engine/definitions/definition';
import { RecordChip } from '../../chips/RecordChip';
import { embedsOf } from '../../chips/titleOf';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The related record as a chip of its resource. */
function Cell({ field, value, record, registry }: CellProps<FieldOf<'relation'>>) {
  const [embed] = embedsOf(field, record);
  if (!embed)
    return value === undefined || value === null ? null : <span className={styles.cellText}>#{String(value)}</span>;
  return <RecordChip definition={registry.get(field.to)} record={embed} />;
}

export default { Cell } satisfies DisplayFacets<FieldOf<'relation'>>;
