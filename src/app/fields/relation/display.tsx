import { pinNames } from '../../../engine/field-types/relation';
import type { FieldOf } from '../../../engine/definitions/definition';
import { RecordChip } from '../../chips/RecordChip';
import { embedsOf } from '../../chips/titleOf';
import { Icon } from '../../icons/Icon';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The related record as a chip of its resource, marked where it has changed since the version that is meant. */
function Cell({ field, value, record, registry }: CellProps<FieldOf<'relation'>>) {
  const [embed] = embedsOf(field, record);
  if (!embed)
    return value === undefined || value === null ? null : <span className={styles.cellText}>#{String(value)}</span>;
  const chip = <RecordChip definition={registry.get(field.to)} record={embed} />;
  if (!field.pin || record[pinNames(field.name).changed] !== true) return chip;
  return (
    <span className={styles.changedChip}>
      {chip}
      <span role="img" title="Changed since" aria-label="Changed since">
        <Icon name="warning" size={14} />
      </span>
    </span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'relation'>>;
