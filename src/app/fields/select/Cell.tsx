import { ToneChip } from '../../chips/RecordChip';
import type { CellProps } from '../fieldComponents';

/** The label of the value, as a chip if it has a tone. */
export function Cell({ field, value }: CellProps) {
  const option = field.options?.find((one) => one.value === value);
  if (!option) return null;
  return option.tone ? (
    <ToneChip tone={option.tone}>{option.label}</ToneChip>
  ) : (
    <span className="cell-text">{option.label}</span>
  );
}
