import type { FieldOf } from '../../../engine/definitions/definition';
import { ToneChip } from '../../chips/RecordChip';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The label of the value, as a chip if it has a tone. */
function Cell({ field, value }: CellProps<FieldOf<'select'>>) {
  const option = field.options.find((one) => one.value === value);
  if (!option) return null;
  return option.tone ? (
    <ToneChip tone={option.tone}>{option.label}</ToneChip>
  ) : (
    <span className={styles.cellText}>{option.label}</span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'select'>>;
