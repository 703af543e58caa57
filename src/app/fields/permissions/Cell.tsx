import { formatNumber } from '../../../engine/formats/numbers';
import type { CellProps } from '../fieldComponents';

/** The number of grants. */
export function Cell({ value }: CellProps) {
  if (!Array.isArray(value)) return null;
  return (
    <span className="cell-text num">{value.length === 1 ? '1 grant' : `${formatNumber(value.length)} grants`}</span>
  );
}
