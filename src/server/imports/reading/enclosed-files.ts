import type { EnclosedFile, SheetRow } from '../../../engine/imports/join-rows';

/** Maximum number of files that are taken out of one document. */
const maxEnclosedFiles = 1_000;

/**
 * Rows with those of their files that can be decoded, each as plain base64; of the others, and of those beyond the
 * number that is taken, only their names and the reason.
 */
export function boundFiles(rows: readonly SheetRow[]): readonly SheetRow[] {
  let usedBytes = 0;
  const bound = (file: EnclosedFile): EnclosedFile => {
    if (!('base64' in file)) return file;
    const { field, name } = file;
    const base64 = file.base64.replace(/\s+/g, '');
    const reason = base64 === '' ? 'It is empty.' : isBase64(base64) ? undefined : 'Its content is not valid base64.';
    if (reason) return { field, name, reason };
    if (usedBytes >= maxEnclosedFiles)
      return {
        field,
        name,
        reason: `At most ${maxEnclosedFiles.toLocaleString('en')} files of one import are taken. Import the file in parts.`,
      };
    usedBytes++;
    return { field, name, base64 };
  };
  return rows.map((row) => (row.files ? { ...row, files: row.files.map(bound) } : row));
}

/** Whether a text is base64 as standards have it, with its padding. */
const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
