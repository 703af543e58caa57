import Box from '@mui/material/Box';
import { Icon } from '../../icons/Icon';
import type { CellError, PreviewResponse, PreviewColumn, PreviewRow } from './api';
import * as styles from './imports.module.css';

interface PreviewTableProps {
  preview: PreviewResponse;
  onlyErrors: boolean;
  isBusy: boolean;
  onMap: (heading: string, value: string | null) => void;
}

/** The file's headings, the field that each column fills, and the file's rows. */
export function PreviewTable({ preview, onlyErrors, isBusy, onMap }: PreviewTableProps) {
  const { errors, targets } = preview;
  const columns = preview.columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ by: origin }) => origin !== 'errors');
  const byRow = errorsByRecord(preview);
  const headings = new Set(columns.map(({ heading }) => heading));
  const hasOthers = errors.some(({ column }) => !headings.has(column));
  const hasFiles = preview.rows.some(({ files }) => files.length > 0);
  const rows = onlyErrors ? preview.rows.filter(({ row }) => byRow.has(row)) : preview.rows;
  return (
    <Box
      sx={{ maxHeight: '52vh', borderTop: '1px solid var(--line)', overflow: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label="Rows of the file"
    >
      <table className={styles.importsTable}>
        <thead>
          <tr>
            <th scope="col" className={styles.importsNumber}>
              Row
            </th>
            {columns.map((column) => (
              <th scope="col" key={column.heading}>
                <span>{column.heading}</span>
                <FieldSelect column={column} targets={targets} isBusy={isBusy} onMap={onMap} />
              </th>
            ))}
            {hasFiles && <th scope="col">Files</th>}
            {hasOthers && <th scope="col">Not in the file</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.row}>
              <td className={`${styles.importsNumber} num`}>{row.row}</td>
              {columns.map(({ heading, index, field }, position) => (
                <Cell
                  key={heading}
                  text={row.cells[index] ?? ''}
                  isOut={field === null}
                  errors={byRow.get(row.row)?.filter(({ column }) => column === heading)}
                  row={row.row}
                  note={position === 0 ? rowNote(row, preview.matched_by !== null) : undefined}
                  oldValue={field === null ? undefined : oldValueNote(row, field)}
                />
              ))}
              {hasFiles && <Files files={row.files} />}
              {hasOthers && (
                <OtherErrors errors={(byRow.get(row.row) ?? []).filter(({ column }) => !headings.has(column))} />
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}

/** The errors of each record by its first row: those of its other rows are there too. */
function errorsByRecord({ rows, errors }: PreviewResponse): ReadonlyMap<number, readonly CellError[]> {
  const firsts = new Map(
    rows.flatMap(({ row, last }) =>
      Array.from({ length: last - row + 1 }, (_, offset) => [row + offset, row] as const),
    ),
  );
  const errorsByRow = new Map<number, CellError[]>();
  for (const error of errors) {
    const first = firsts.get(error.row) ?? error.row;
    errorsByRow.set(first, [...(errorsByRow.get(first) ?? []), error]);
  }
  return errorsByRow;
}

/** `Changed · Joined from rows 3 to 5`. */
function rowNote({ row, last, kind }: PreviewRow, isMatched: boolean): string | undefined {
  const kinds = { new: 'New', changed: 'Changed', unchanged: 'Unchanged', refused: 'Refused' };
  const parts = [...(isMatched ? [kinds[kind]] : []), ...(last > row ? [`Joined from rows ${row} to ${last}`] : [])];
  return parts.length > 0 ? parts.join(' · ') : undefined;
}

/** The values that a cell replaces in the record that its row found; of a column of rows, with the rows that are new. */
function oldValueNote({ changes }: PreviewRow, target: string): string | undefined {
  const fields = target.split(',');
  const ownChanges = changes.filter(({ field }) => fields.includes(field));
  const [first] = ownChanges;
  if (!first) return undefined;
  if (target.includes('.') && first.old === null) return `New: ${lines(first.new)}`;
  return `Was ${ownChanges.map(({ old: oldText }) => lines(oldText)).join(' / ')}`;
}

const lines = (text: string | null) => text?.replaceAll('\n', ', ') ?? 'empty';

interface CellProps {
  text: string;
  /** The first row of the record. */
  row: number;
  isOut: boolean;
  errors?: readonly CellError[];
  note?: string;
  /** The value that it replaces. */
  oldValue?: string;
}

function Cell({ text, row, isOut, errors = [], note, oldValue }: CellProps) {
  const error = errors
    .map((cellError) => (cellError.row === row ? cellError.message : `Row ${cellError.row}: ${cellError.message}`))
    .join(' ');
  return (
    <td data-bad={error !== '' || undefined} data-out={isOut || undefined} title={error || text}>
      <span>{text}</span>
      {error && <small>{error}</small>}
      {note && !error && <small>{note}</small>}
      {oldValue && !error && <small>{oldValue}</small>}
    </td>
  );
}

/** How many files come with a record, and their names. */
function Files({ files }: Pick<PreviewRow, 'files'>) {
  if (files.length === 0) return <td />;
  const names = files.map(({ name }) => name).join(', ');
  return (
    <td title={names}>
      <span>{files.length === 1 ? '1 file' : `${files.length} files`}</span>
      <small>{names}</small>
    </td>
  );
}

/** Errors of fields that no column of the file fills. */
function OtherErrors({ errors }: { errors: readonly CellError[] }) {
  if (errors.length === 0) return <td />;
  const text = errors.map(({ message }) => message).join(' ');
  return (
    <td data-bad title={text}>
      <small>{text}</small>
    </td>
  );
}

interface FieldSelectProps extends Pick<PreviewTableProps, 'isBusy' | 'onMap'> {
  column: PreviewColumn;
  targets: PreviewResponse['targets'];
}

/** The field that a column fills: a check mark if it was matched, a pencil if it was chosen by hand. */
function FieldSelect({ column: { heading, field, by: origin }, targets, isBusy, onMap }: FieldSelectProps) {
  const state = field === null ? 'out' : origin === 'hand' || origin === 'memory' ? 'hand' : 'matched';
  return (
    <span className={styles.importsMap} data-state={state}>
      {state !== 'out' && <Icon name={state === 'hand' ? 'pencil' : 'check'} size={12} />}
      <select
        aria-label={`${heading} fills`}
        value={field ?? ''}
        disabled={isBusy}
        onChange={(event) => onMap(heading, event.target.value || null)}
      >
        <option value="">Leave out</option>
        {targets.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={12} />
    </span>
  );
}
