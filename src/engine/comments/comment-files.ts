import type { FieldOf } from '../definitions/definition';
import { anyKind } from '../field-types/file-kinds';

/** The files of a comment, with the limits that a field of files has. No field of a definition has this name. */
export const commentFiles: Pick<FieldOf<'files'>, 'name' | 'type' | 'label' | 'accept' | 'maxItems' | 'maxBytes'> = {
  name: '$comments',
  type: 'files',
  label: 'Files',
  accept: [anyKind],
  maxItems: 10,
  maxBytes: 25 * 1024 * 1024,
};
