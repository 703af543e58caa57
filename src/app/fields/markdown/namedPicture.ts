import { pictureName } from '../../../engine/formats/markdown';

/**
 * A picture under a name that texts can show it by and no other file has: pasted ones are all called image.png.
 *
 * @example namedPicture(file, ['image.png']).name; // 'image-2.png'
 */
export function namedPicture(file: File, usedNames: readonly string[]): File {
  const extension = file.type.replace('image/', '').replace('jpeg', 'jpg');
  const base = pictureName(file.name.replace(/\.\w+$/, '')).slice(0, 100) || 'image';
  let name = `${base}.${extension}`;
  for (let number = 2; usedNames.includes(name); number++) name = `${base}-${number}.${extension}`;
  return new File([file], name, { type: file.type });
}
