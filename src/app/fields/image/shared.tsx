import { isStoredImage } from '../../../engine/field-types/image';
import { Picture } from '../../shared/Picture';
import type { SharedFacets } from '../fieldType';

function Value({ value }: { value: unknown }) {
  return isStoredImage(value) ? <Picture name={value.name} url={value.url} /> : null;
}

export default { Value, isSection: () => true } satisfies SharedFacets;
