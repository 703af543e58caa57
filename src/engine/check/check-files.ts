import { acceptedKinds, anyKind, fileKinds } from '../field-types/file-kinds';
import { formatBytes, greatestFileCount, greatestFileSize, isFiles } from '../field-types/files';
import { reportProblem, type CheckSubject } from './check-context';
import type { Field } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';

/** Checks what a field with files takes: kinds that can be told by content, and sizes that the server takes. */
export function checkFiles(subject: CheckSubject, path: string, field: Field): void {
  if (!isFiles(field)) return;
  field.accept.forEach((kind, index) => {
    if (kind === anyKind || acceptedKinds([kind]).length > 0) return;
    reportProblem(
      subject,
      joinPointer(path, 'accept', index),
      `No file is known to be "${kind}" by its content. Write one of ${Object.keys(fileKinds).join(', ')}, a group such as "image/*", or "${anyKind}" for any.`,
    );
  });
  if (field.maxItems > greatestFileCount)
    reportProblem(subject, joinPointer(path, 'maxItems'), `A field has at most ${greatestFileCount} files.`);
  if (field.maxBytes > greatestFileSize)
    reportProblem(
      subject,
      joinPointer(path, 'maxSize'),
      `A file has at most ${formatBytes(greatestFileSize)}. Larger ones do not belong into records.`,
    );
}
