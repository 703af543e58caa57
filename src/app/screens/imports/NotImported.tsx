import { formatNumber } from '../../../engine/formats/numbers';
import { Icon } from '../../icons/Icon';
import type { PreviewResponse } from './api';
import * as styles from './imports.module.css';

/** The most files that are left out and listed, each with its reason. */
const maxFiles = 20;

/** The parts of the file that will not be imported, and text that is converted while it is read. */
export function NotImported({ preview }: { preview: PreviewResponse }) {
  const { dropped, skipped, sheets, sheet, breaks, merged, heading_row: headingRow } = preview;
  const { left_out: leftOut, left_out_count: leftOutCount } = preview;
  const others = sheets.filter(({ name }) => name !== sheet);
  const count = (many: number, one: string) => `${formatNumber(many)} ${one}${many === 1 ? '' : 's'}`;
  const lines = [
    ...dropped.map(({ column, cells, reason }) => ({ what: column, why: `${count(cells, 'filled cell')}. ${reason}` })),
    ...leftOut.slice(0, maxFiles).map(({ row, name, reason }) => ({
      what: name === '' ? 'A file' : name,
      why: `Row ${formatNumber(row)}. ${reason}`,
    })),
    ...(leftOutCount > maxFiles
      ? [{ what: count(leftOutCount - maxFiles, 'more file'), why: 'They are left out for reasons like these.' }]
      : []),
    ...(skipped > 0
      ? [{ what: count(skipped, 'row'), why: 'They contain folders, preconditions or sets, not records.' }]
      : []),
    ...(headingRow > 1
      ? [
          {
            what: headingRow === 2 ? 'Row 1' : `Rows 1 to ${formatNumber(headingRow - 1)}`,
            why: 'Above the headings.',
          },
        ]
      : []),
    ...(others.length > 0
      ? [
          {
            what: others.map(({ name }) => `“${name}”`).join(', '),
            why: others.length === 1 ? 'Another sheet of the workbook.' : 'Other sheets of the workbook.',
          },
        ]
      : []),
  ];
  if (lines.length === 0 && breaks.length === 0 && merged.length === 0) return null;
  return (
    <section className={styles.importsDropped} aria-label="Not imported">
      {lines.length > 0 && (
        <>
          <b>
            <Icon name="info" size={14} /> Not imported
          </b>
          <ul>
            {lines.map(({ what, why }) => (
              <li key={`${what} ${why}`}>
                <b>{what}</b> <span className="num">{why}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {breaks.length > 0 && (
        <p>
          <code>\n</code> in {breaks.join(', ')} is read as a line break.
        </p>
      )}
      {merged.length > 0 && <p>Merged cells in {merged.join(', ')} give their value to all rows that they cover.</p>}
    </section>
  );
}
