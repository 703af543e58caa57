import { CellLink } from '../CellLink';
import type { CellProps } from '../part';
import { addressOf } from './address';

/** The public address, opened in a new tab. */
export function Cell({ field, value, focused }: CellProps) {
  const address = addressOf(field, value);
  return address === '' ? null : (
    <CellLink href={address} focused={focused}>
      {address.replace(/^https?:\/\//, '')}
    </CellLink>
  );
}
