import { useEffect, useRef, useState, type ClipboardEvent, type FocusEvent, type KeyboardEvent, useMemo } from 'react';
import type { Field, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { insertsRecord, rowsIn, computedColumns } from '../../../engine/field-types/rows';
import { gridColumns, rowNumbers, typedColumns } from '../../../engine/forms/row-edits';
import { isMarkdown } from '../../../engine/formats/markdown';
import { MarkdownTools, type MarkdownDialogs } from '../markdown/MarkdownTools';
import { recordPictures } from '../markdown/recordPictures';
import { useMarkdownEdits } from '../markdown/useMarkdownEdits';
import { focusToolbar } from '../markdown/useRovingFocus';
import { openSnippets } from '../snippets/SnippetButton';
import { snippetSubject } from '../snippets/subject';
import type { InputProps } from '../fieldType';
import { RowButtons } from './RowButtons';
import { RowLine } from './RowLine';
import { RowToolbar } from './RowToolbar';
import { handleRowKey, isOpenList, positionOf } from './rowKeys';
import { useInsertedRecords } from './useInsertedRecords';
import { newRow, useRowCommands } from './useRowCommands';
import * as styles from './rows.module.css';
import { computeValues } from '../../../engine/expressions/evaluate';
import { localTimeZone } from '../../../engine/formats/time-zone';
import { localToday } from '../../data/localTime';

/**
 * The rows as a grid. The cell with the focus is an input: Tab and Shift+Tab go through the cells, Enter and the arrows
 * up and down through the rows; Enter in the last one and Alt+Enter add a row, Alt with an arrow moves one, Ctrl+D copies
 * one, Delete removes the chosen ones or the row whose tools have the focus, Ctrl+Z and Ctrl+Y undo and redo. The arrows
 * lead from the first and the last cell to the row's tools, which Tab passes by. A range of a spreadsheet is pasted from the cell on. A row that
 * inserts a record is folded to one line. Alt+F10 leads to the toolbar, Escape there back to the cell; in a cell whose text
 * can have marks Ctrl+B, Ctrl+I, Ctrl+E and Ctrl+Shift+K make it bold, italic, code or a link, and a pasted picture goes
 * into the record's files and is shown there.
 */
export function RowGrid({ id, field, value, onChange, readOnly = false, ...props }: InputProps<FieldOf<'rows'>>) {
  const { columnChoices, cellErrors, describedBy, invalid, recordInForm, onPending, onProblem } = props;
  const pictures = recordPictures(recordInForm);
  const filledRows = rowsIn(value);
  // An empty row is there to be typed into; it is none before.
  const [firstRow] = useState(() => [newRow(field)]);
  const rows = filledRows.length === 0 && !readOnly ? firstRow : filledRows;
  const columns = typedColumns(field);
  const shownColumns = gridColumns(field);
  const computedRows = useComputedRows(field, rows);
  const insertedRecords = useInsertedRecords(field, rows);
  const frame = useRef<HTMLDivElement>(null);
  const commands = useRowCommands({ field, rows, onChange, insertedRecords, frame });
  const { active, chosenRows, focusRequest, edits } = commands;
  const [draggedRow, setDraggedRow] = useState<number | null>(null);
  const activeColumn = active ? columns[active.column] : undefined;
  const isMarked = activeColumn !== undefined && isMarkdown(activeColumn);
  const cellBox = () => frame.current?.querySelector<HTMLElement>(`[id="${id}-cell"]`) ?? null;
  const dialogs = useRef<MarkdownDialogs>(null);
  const markdownEdits = useMarkdownEdits({
    target: () => (isMarked ? (cellBox() as HTMLTextAreaElement | null) : null),
    pictures,
    onSpoken: commands.setAnnouncement,
  });
  const numbers = rowNumbers(field, rows);

  // Elements follow their rows only after these were rendered in their new order.
  useEffect(() => {
    if (!focusRequest) return;
    const find = (part: string) => frame.current?.querySelector<HTMLElement>(`[data-${part}="${focusRequest.row}"]`);
    (find('fold') ?? find('grip'))?.focus();
  }, [focusRequest]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (markdownEdits.onKeyDown(event, () => dialogs.current?.openLink()) || openSnippets(event)) return;
    if (event.altKey && event.key === 'F10') {
      event.preventDefault();
      return focusToolbar(frame.current);
    }
    const isInserted = (row: number) => rows[row] !== undefined && insertsRecord(field, rows[row]);
    handleRowKey(event, { frame: frame.current, columns, rows, commands, isInserted });
  };
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    if (markdownEdits.onPaste(event)) return;
    const position = positionOf(event.target as Element);
    const text = event.clipboardData.getData('text/plain');
    if (!position || position.column < 0 || !/[\t\n]/.test(text.replace(/\r?\n$/, ''))) return;
    event.preventDefault();
    event.stopPropagation();
    commands.paste(text, position, columnChoices);
  };
  const onBlur = ({ currentTarget, relatedTarget, target }: FocusEvent<HTMLElement>) => {
    const isWithin = currentTarget.contains(relatedTarget) || relatedTarget?.closest('[data-of-cell]');
    // The window of a file chooser takes the focus from the page, not from the cell.
    if (!isWithin && !isOpenList(target) && target.ownerDocument.activeElement !== target) commands.activate(null);
  };

  return (
    <div
      id={id}
      ref={frame}
      className={styles.rows}
      role="group"
      tabIndex={-1}
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      data-row-grid=""
      data-invalid={invalid || undefined}
      onKeyDown={readOnly ? undefined : onKeyDown}
      onPaste={readOnly ? undefined : onPaste}
      onBlur={onBlur}
    >
      {!readOnly && (
        <RowToolbar
          row={active?.row ?? (chosenRows.size === 1 ? [...chosenRows][0] : undefined)}
          last={rows.length - 1}
          canUndo={edits.canUndo}
          canRedo={edits.canRedo}
          onUndo={edits.undo}
          onRedo={edits.redo}
          onMove={commands.move}
          onLeave={() => cellBox()?.focus()}
        >
          {columns.some(isMarkdown) && (
            <MarkdownTools
              ref={dialogs}
              edits={markdownEdits}
              pictures={pictures}
              subject={snippetSubject(props)}
              isDisabled={!isMarked}
            />
          )}
        </RowToolbar>
      )}
      {rows.length > 0 && (
        <table className={styles.rowTable} data-choosing={chosenRows.size > 0 || undefined}>
          <RowHead columns={shownColumns} readOnly={readOnly} isNumbered={field.insertedRows !== undefined} />
          <tbody>
            {rows.map((row, index) => (
              <RowLine
                key={keyOf(row, index)}
                {...{ id, field, columns, row, index, readOnly, pictures, insertedRecords, commands, draggedRow }}
                {...{ columnChoices, cellErrors, onPending, onProblem }}
                gridColumns={shownColumns}
                number={numbers[index] ?? index + 1}
                computedRow={computedRows[index]}
                onDragRow={setDraggedRow}
              />
            ))}
          </tbody>
        </table>
      )}
      {rows.length === 0 && readOnly && <p className={styles.noRows}>{field.emptyText ?? 'None'}</p>}
      {!readOnly && <RowButtons {...{ id, field, rows, columnChoices, insertedRecords, commands }} />}
      <p className="unseen" role="status">
        {commands.announcement}
      </p>
    </div>
  );
}

interface RowHeadProps {
  columns: readonly Field[];
  readOnly: boolean;
  /** Whether rows that are only read have their numbers, since one may stand for several. */
  isNumbered: boolean;
}

function RowHead({ columns, readOnly, isNumbered }: RowHeadProps) {
  return (
    <thead>
      <tr>
        {readOnly ? isNumbered && <td className={styles.rowNumber}>#</td> : <td className={styles.rowTools}>#</td>}
        {columns.map((column) => (
          <th key={column.name} scope="col">
            {column.label}
            {column.required && <b aria-hidden="true">*</b>}
          </th>
        ))}
        {!readOnly && <td className={styles.rowEnd} />}
      </tr>
    </thead>
  );
}

/** Rows keep their inputs while others are moved; new ones are known by their place. */
function keyOf({ id }: ResourceRecord, index: number): string {
  return typeof id === 'number' ? String(id) : `new ${index}`;
}

/** The rows with their computed columns, as they follow from what is typed; none where no column is computed. */
function useComputedRows(field: FieldOf<'rows'>, rows: readonly ResourceRecord[]): readonly ResourceRecord[] {
  const [now] = useState(() => new Date().toISOString());
  return useMemo(() => {
    if (computedColumns(field).length === 0) return [];
    const evaluationContext = { today: localToday(), now, timeZone: localTimeZone() };
    return rows.map((row) => computeValues({ fields: field.columns }, row, evaluationContext));
  }, [field, rows, now]);
}
