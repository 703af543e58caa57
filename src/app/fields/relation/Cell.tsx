import { RecordChip } from '../../chips/RecordChip';
import { embedsOf } from '../../chips/titleOf';
import type { CellProps } from '../fieldComponents';

/** The related record as a chip of its resource. */
export function Cell({ field, value, record, registry }: CellProps) {
  const [embed] = embedsOf(field, record);
  if (!embed) return value === undefined || value === null ? null : <span className="cell-text">#{String(value)}</span>;
  return <RecordChip definition={field.to === undefined ? undefined : registry.get(field.to)} record={embed} />;
}
