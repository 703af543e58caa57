import type { FieldOf } from '../../../engine/definitions/definition';
import { CellLink } from '../CellLink';
import type { CellProps, PageFacets } from '../fieldType';
import { shareUrl } from './shareUrl';

/** The public page by its name, opened in a new tab. */
function Value({ field, value, focused }: CellProps<FieldOf<'shareLink'>>) {
  const address = shareUrl(field, value);
  return address === '' ? null : (
    <CellLink href={address} focused={focused}>
      Open the public page
    </CellLink>
  );
}

export default { Value } satisfies PageFacets<FieldOf<'shareLink'>>;
