import type { FieldOf } from '../../../engine/definitions/definition';
import { isUrl } from '../../../engine/field-types/url';
import { CellLink } from '../CellLink';
import type { CellProps, DisplayFacets } from '../fieldType';

/** The address without its protocol; a click opens it in a new tab. */
function Cell({ value, focused }: CellProps<FieldOf<'url'>>) {
  if (typeof value !== 'string' || !isUrl(value)) return null;
  const href = /^https?:\/\//i.test(value) ? value : `https://${value}`;
  return (
    <CellLink href={href} focused={focused}>
      {value.replace(/^https?:\/\//i, '').replace(/\/$/, '')}
    </CellLink>
  );
}

export default { Cell, isLink: true } satisfies DisplayFacets<FieldOf<'url'>>;
