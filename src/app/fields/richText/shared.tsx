import { RichText } from './RichText';
import type { SharedFacets } from '../fieldType';

function Value({ value }: { value: unknown }) {
  return <RichText html={String(value)} />;
}

export default { Value, isSection: () => true } satisfies SharedFacets;
