import { CellLink } from '../CellLink';
import type { CellProps } from '../part';

/** The address; a click writes to it. */
export function Cell({ value, focused }: CellProps) {
  return typeof value === 'string' ? (
    <CellLink href={`mailto:${value}`} focused={focused}>
      {value}
    </CellLink>
  ) : null;
}
