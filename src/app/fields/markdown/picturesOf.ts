import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { fileFields, filesIn, isShownPicture, type FileValue } from '../../../engine/field-types/stored-files';

/**
 * The pictures among the files of a record, which its texts with marks can show.
 *
 * @example picturesOf(testCases, record).map(({ name }) => name); // ['two-charges.png']
 */
export function picturesOf(definition: Pick<Definition, 'fields'>, record: ResourceRecord): FileValue[] {
  return fileFields(definition)
    .flatMap(({ name }) => filesIn(record[name]))
    .filter(isShownPicture);
}
