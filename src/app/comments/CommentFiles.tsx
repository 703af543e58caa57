import type { FileValue } from '../../engine/field-types/stored-files';
import page from '../fields/files/page';

/** The files of a comment: pictures as such, others by name; each opens its preview. */
export function CommentFiles({ files }: { files: readonly FileValue[] }) {
  return <page.Value value={files} />;
}
