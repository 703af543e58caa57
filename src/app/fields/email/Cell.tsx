import { CellLink } from '../CellLink';
import type { CellProps } from '../part';

/** The address; a click writes to it. */
export function Cell({ value }: CellProps) {
  return typeof value === 'string' ? <CellLink href={`mailto:${value}`}>{value}</CellLink> : null;
}
