import type { SheetRow } from '../../../engine/imports/join-rows';
import type { SheetFile } from './sheet-file';

/**
 * Reads what other programs write, for the imports of one resource: documents that are no spreadsheets, and
 * spreadsheets whose rows mean more than their cells say. It runs in the thread that reads files.
 *
 * @example
 * serveImports([{ resource: 'deals', readDocument: async (kind, text) => (kind === 'json' ? rowsOf(JSON.parse(text)) : undefined) }]);
 */
export interface FileReader {
  readonly resource: string;
  /**
   * The rows of a document, headings first; undefined if it is of no format that is known. The number of a row is its
   * line, or the next number if several records begin in one line. Throws UnreadableFile that names the line.
   * Files that the document has itself, as base64, come with the first row of their record; they are checked later.
   */
  readDocument(kind: DocumentKind, text: string): Promise<readonly SheetRow[] | undefined>;
  /** A spreadsheet as it is to be read: further rows, which repeat the number of theirs, and columns at the end. */
  readonly rewriteSheet?: (file: SheetFile) => SheetFile;
}

export type DocumentKind = 'xml' | 'json';

/** Whether a text is XML or JSON, by how it begins; undefined: neither. */
export function documentKindOf(text: string): DocumentKind | undefined {
  const start = text.slice(0, 1_000).trimStart();
  if (/^<(\?xml\b|!--|!DOCTYPE(?! html\b)|(?!!|html\b|table\b)\w)/i.test(start)) return 'xml';
  return /^(\{\s*["}]|\[\s*["{[\]])/.test(start) ? 'json' : undefined;
}
