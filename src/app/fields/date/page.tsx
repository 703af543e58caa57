import { formatDate } from '../../../engine/formats/dates';
import type { CellProps, PageFacets } from '../fieldType';
import { LateMark } from './LateMark';

/** The whole date, and how late the record is by it. */
function Value(props: CellProps) {
  return (
    <>
      {formatDate(String(props.value))} <LateMark {...props} />
    </>
  );
}

export default { Value } satisfies PageFacets;
