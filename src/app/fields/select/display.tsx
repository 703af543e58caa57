import type { FieldOf, SelectOption } from '../../../engine/definitions/definition';
import { ToneChip } from '../../chips/RecordChip';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The label of the value; of several values the first and the number of others. */
function Cell({ field, value }: CellProps<FieldOf<'select'>>) {
  const chosenOptions = field.options.filter((option) =>
    Array.isArray(value) ? value.includes(option.value) : option.value === value,
  );
  const [first, ...rest] = chosenOptions;
  if (!first) return null;
  if (!field.multiple) return <Option option={first} />;
  return (
    <span className={styles.cellMany} title={chosenOptions.map(({ label }) => label).join(', ')}>
      <ToneChip tone={first.tone ?? 'neutral'}>{first.label}</ToneChip>
      {rest.length > 0 && <span className={`${styles.cellRest} num`}>+{rest.length}</span>}
    </span>
  );
}

/** The label, as a chip if it has a tone. */
function Option({ option }: { option: SelectOption }) {
  return option.tone ? (
    <ToneChip tone={option.tone}>{option.label}</ToneChip>
  ) : (
    <span className={styles.cellText}>{option.label}</span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'select'>>;
