import { RecordChip } from '../../chips/RecordChip';
import { embedsOf, recordTitleOf } from '../../chips/titleOf';
import type { FieldOf } from '../../../engine/definitions/definition';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The first related record and the number of others; only a number if the response has no names. */
function Cell({ field, value, record, registry }: CellProps<FieldOf<'relations'>>) {
  const embeds = embedsOf(field, record);
  const target = registry.get(field.to);
  const [first, ...rest] = embeds;
  if (!first) {
    const count = Array.isArray(value) ? value.length : record[field.countName];
    return count ? <span className={`${styles.cellText} num`}>{String(count)}</span> : null;
  }
  return (
    <span className={styles.cellMany} title={embeds.map((embed) => recordTitleOf(target, embed)).join(', ')}>
      <RecordChip definition={target} record={first} />
      {rest.length > 0 && <span className={`${styles.cellRest} num`}>+{rest.length}</span>}
    </span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'relations'>>;
