import { formatInstant } from '../../../engine/formats/dates';
import type { SharedFacets } from '../fieldType';

/** The instant in the visitor's time zone; the server's text is in its own. */
function Value({ value }: { value: unknown }) {
  return formatInstant(String(value));
}

export default { Value } satisfies SharedFacets;
