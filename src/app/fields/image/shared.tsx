import { isFileValue } from '../../../engine/field-types/stored-files';
import { Picture } from './Picture';
import type { SharedFacets } from '../fieldType';

function Value({ value }: { value: unknown }) {
  return isFileValue(value) ? <Picture name={value.name} url={value.url} /> : null;
}

export default { Value, isSection: () => true } satisfies SharedFacets;
