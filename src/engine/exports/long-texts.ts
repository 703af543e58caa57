/** Spreadsheets reject longer cells. */
const maxCellLength = 32_767;

const noticeStart = '[Too long for a workbook: ';

/**
 * A text for a cell of a workbook: one that is longer than a cell says so, before its beginning.
 *
 * @example textForWorkbook('short'); // 'short'
 */
export function textForWorkbook(text: string): string {
  if (text.length <= maxCellLength) return text;
  const [length, maximum] = [text.length, maxCellLength].map((count) => count.toLocaleString('en'));
  const notice = `${noticeStart}${length} characters, and a cell holds ${maximum}. Download the CSV to have the whole text.] `;
  return notice + text.slice(0, maxCellLength - notice.length);
}

/**
 * Whether a cell has only the beginning of a text: as `textForWorkbook` says, or because it is as full as cells can be.
 *
 * @example isCutText('short', true); // false
 */
export function isCutText(cell: string, isWorkbook: boolean): boolean {
  return cell.startsWith(noticeStart) || (isWorkbook && cell.length >= maxCellLength);
}
