import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Input } from '../../server/records/write/input';

/** Values that the program sets itself, whether or not users can write their fields. */
export function fixedInput(values: ResourceRecord): Input {
  return { values, errors: {}, kept: [], fixed: new Set(Object.keys(values)) };
}
