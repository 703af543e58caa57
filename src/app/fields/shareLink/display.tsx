import type { FieldOf } from '../../../engine/definitions/definition';
import { CellLink } from '../CellLink';
import type { CellProps, DisplayFacets } from '../fieldType';
import { shareUrl } from './shareUrl';

/** The public address, opened in a new tab. */
function Cell({ field, value, focused }: CellProps<FieldOf<'shareLink'>>) {
  const address = shareUrl(field, value);
  return address === '' ? null : (
    <CellLink href={address} focused={focused}>
      {address.replace(/^https?:\/\//, '')}
    </CellLink>
  );
}

export default { Cell, isLink: true } satisfies DisplayFacets<FieldOf<'shareLink'>>;
