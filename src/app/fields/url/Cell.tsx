import { isUrl } from '../../../engine/field-types/url';
import { CellLink } from '../CellLink';
import type { CellProps } from '../fieldComponents';

/** The address without its protocol; a click opens it in a new tab. */
export function Cell({ value, focused }: CellProps) {
  if (typeof value !== 'string' || !isUrl(value)) return null;
  const href = /^https?:\/\//i.test(value) ? value : `https://${value}`;
  return (
    <CellLink href={href} focused={focused}>
      {value.replace(/^https?:\/\//i, '').replace(/\/$/, '')}
    </CellLink>
  );
}
