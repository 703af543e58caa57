import type { Field } from '../../../engine/definitions/definition';
import { maxImageBytes, imageTooLargeMessage, imageTypeMessage, imageTypes } from '../../../engine/field-types/image';

/** Why a file cannot be a field's picture, as a message; undefined if it can. */
export function pictureProblem(file: File, { label }: Pick<Field, 'label'>): string | undefined {
  if (!imageTypes.some((type) => type === file.type)) return imageTypeMessage(label);
  return file.size > maxImageBytes ? imageTooLargeMessage(label) : undefined;
}
