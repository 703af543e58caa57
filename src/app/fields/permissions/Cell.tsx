import { formatNumber } from '../../../engine/formats/numbers';
import type { CellProps } from '../part';

/** How many grants there are. */
export function Cell({ value }: CellProps) {
  if (!Array.isArray(value)) return null;
  return (
    <span className="cell-text num">{value.length === 1 ? '1 grant' : `${formatNumber(value.length)} grants`}</span>
  );
}
