import Box from '@mui/material/Box';
import { formatNumber } from '../../../engine/formats/numbers';
import { Icon } from '../../icons/Icon';
import type { PreviewResponse } from './api';
import * as styles from './imports.module.css';

/** The most files that are left out and listed, each with its reason. */
const maxFiles = 20;

/** The parts of the file that will not be imported, and text that is converted while it is read. */
export function NotImported({ preview }: { preview: PreviewResponse }) {
  const {
    dropped: droppedColumns,
    skipped: skippedCount,
    sheets,
    sheet,
    breaks: lineBreakColumns,
    merged: mergedColumns,
    heading_row: headingRow,
  } = preview;
  const { left_out: leftOut, left_out_count: leftOutCount } = preview;
  const otherSheets = sheets.filter(({ name }) => name !== sheet);
  const count = (number: number, noun: string) => `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`;
  const lines = [
    ...droppedColumns.map(({ column, cells, reason }) => ({
      what: column,
      why: `${count(cells, 'filled cell')}. ${reason}`,
    })),
    ...leftOut.slice(0, maxFiles).map(({ row, name, reason }) => ({
      what: name === '' ? 'A file' : name,
      why: `Row ${formatNumber(row)}. ${reason}`,
    })),
    ...(leftOutCount > maxFiles
      ? [{ what: count(leftOutCount - maxFiles, 'more file'), why: 'They are left out for reasons like these.' }]
      : []),
    ...(skippedCount > 0
      ? [{ what: count(skippedCount, 'row'), why: 'They contain folders, preconditions or sets, not records.' }]
      : []),
    ...(headingRow > 1
      ? [
          {
            what: headingRow === 2 ? 'Row 1' : `Rows 1 to ${formatNumber(headingRow - 1)}`,
            why: 'Above the headings.',
          },
        ]
      : []),
    ...(otherSheets.length > 0
      ? [
          {
            what: otherSheets.map(({ name }) => `“${name}”`).join(', '),
            why: otherSheets.length === 1 ? 'Another sheet of the workbook.' : 'Other sheets of the workbook.',
          },
        ]
      : []),
  ];
  if (lines.length === 0 && lineBreakColumns.length === 0 && mergedColumns.length === 0) return null;
  return (
    <section className={styles.importsDropped} aria-label="Not imported">
      {lines.length > 0 && (
        <>
          <Box component="b" sx={{ display: 'inline-flex', gap: 1.5, alignItems: 'center' }}>
            <Icon name="info" size={14} /> Not imported
          </Box>
          <ul>
            {lines.map(({ what: subject, why: reason }) => (
              <li key={`${subject} ${reason}`}>
                <Box component="b" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
                  {subject}
                </Box>{' '}
                <span className="num">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {lineBreakColumns.length > 0 && (
        <p>
          <code>\n</code> in {lineBreakColumns.join(', ')} is read as a line break.
        </p>
      )}
      {mergedColumns.length > 0 && (
        <p>Merged cells in {mergedColumns.join(', ')} give their value to all rows that they cover.</p>
      )}
    </section>
  );
}
