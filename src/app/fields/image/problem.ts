import { imageLimit, imageLimitMessage, imageTypeMessage, imageTypes } from '../../../engine/field-types/image';

/** What keeps a file from being the picture of a field, in words; undefined where nothing does. */
export function pictureProblem(file: File, label: string): string | undefined {
  if (!imageTypes.some((type) => type === file.type)) return imageTypeMessage(label);
  return file.size > imageLimit ? imageLimitMessage(label) : undefined;
}
