import { filesIn, isShownPicture } from '../../../engine/field-types/stored-files';
import { firstOf } from '../../../engine/values/lookups';
import type { CellProps } from '../fieldType';
import * as fieldsStyles from '../fields.module.css';
import * as imageStyles from '../image/image.module.css';

/** The first picture, and how many files of which kind there are; a single file by its name. */
export function FilesCell({ value }: CellProps) {
  const files = filesIn(value);
  if (files.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { type } of files) {
    const kind = type.startsWith('image/') ? 'picture' : type.endsWith('/pdf') ? 'PDF' : 'file';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const words = [...counts].map(([kind, count]) => `${count} ${kind}${count > 1 ? 's' : ''}`).join(', ');
  const shot = files.find(isShownPicture);
  return (
    <span className={fieldsStyles.cellText} title={files.map(({ name }) => name).join('\n')}>
      {shot && <img className={imageStyles.pictureThumb} src={shot.url} alt="" loading="lazy" />}
      {files.length === 1 ? firstOf(files).name : words}
    </span>
  );
}
