import { CellLink } from '../CellLink';
import type { CellProps } from '../fieldComponents';
import { shareUrl } from './shareUrl';

/** The public address, opened in a new tab. */
export function Cell({ field, value, focused }: CellProps) {
  const address = shareUrl(field, value);
  return address === '' ? null : (
    <CellLink href={address} focused={focused}>
      {address.replace(/^https?:\/\//, '')}
    </CellLink>
  );
}
