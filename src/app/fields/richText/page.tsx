import { RichText } from './RichText';
import type { CellProps, PageFacets } from '../fieldType';

function Value({ value }: CellProps) {
  return <RichText html={String(value)} />;
}

export default { Value } satisfies PageFacets;
