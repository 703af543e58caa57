import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import { useEffect, useRef, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react';
import { resolveVariable, unresolved } from '../../../engine/conditions/variables';
import { isVariable } from '../../../engine/conditions/grammar';
import type { Field, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { insertedRows, insertsRecord, rowsIn } from '../../../engine/field-types/rows';
import {
  canBeShared,
  copyRow,
  detachRow,
  emptyRow,
  gridColumns,
  moveRow,
  parseCells,
  pasteCapacity,
  pasteCells,
  rowNumbers,
  typedColumns,
} from '../../../engine/forms/row-edits';
import { isMarkdown } from '../../../engine/formats/markdown';
import { Icon } from '../../icons/Icon';
import { MarkdownTools, type MarkdownDialogs } from '../markdown/MarkdownTools';
import { recordPictures, type PicturesOfRecord } from '../markdown/recordPictures';
import { useMarkdownEdits } from '../markdown/useMarkdownEdits';
import { focusToolbar } from '../markdown/useRovingFocus';
import { openSnippets } from '../snippets/SnippetButton';
import { snippetSubject } from '../snippets/subject';
import type { InputProps } from '../fieldType';
import { FieldInput } from '../inputs';
import { localToday } from '../../data/localTime';
import { CellText } from './CellText';
import { InsertedRow } from './InsertedRow';
import { RowToolbar } from './RowToolbar';
import { useComputedRows } from './useComputedRows';
import { useInsertedRecords } from './useInsertedRecords';
import { useRowEdits } from './useRowEdits';
import * as styles from './rows.module.css';

/** A place in the grid. */
interface Place {
  readonly row: number;
  readonly column: number;
}

/**
 * The rows as a grid. The cell with the focus is an input: Tab and Shift+Tab go through the cells, Enter and the arrows
 * up and down through the rows; Enter in the last one and Ctrl+Enter add a row, Alt with an arrow moves one, Ctrl+D copies
 * one, Delete removes the chosen ones or the row whose tools have the focus, Ctrl+Z and Ctrl+Y undo and redo. The arrow to
 * the right leads from the last cell to the row's tools. A range of a spreadsheet is pasted from the cell on. A row that
 * inserts a record is folded to one line. Alt+F10 leads to the toolbar, Escape there back to the cell; in a cell whose text
 * can have marks Ctrl+B, Ctrl+I, Ctrl+E and Ctrl+Shift+K make it bold, italic, code or a link, and a pasted picture goes
 * into the record's files and is shown there.
 */
export function RowGrid({ id, field, value, onChange, readOnly = false, ...props }: InputProps<FieldOf<'rows'>>) {
  const { columnChoices, cellErrors, describedBy, invalid, around, onPending, onProblem } = props;
  const pictures = recordPictures(around);
  const rows = rowsIn(value);
  const columns = typedColumns(field);
  const shownColumns = gridColumns(field);
  const computedRows = useComputedRows(field, rows);
  const edits = useRowEdits(rows, onChange);
  const [active, setActive] = useState<Place | null>(null);
  // The cell's typed text is no choice yet, and would be lost with its input.
  const isUnchosen = useRef(false);
  const activate = (position: Place | null) => {
    if (!isUnchosen.current) setActive(position);
  };
  const [chosenRows, setChosenRows] = useState<ReadonlySet<number>>(new Set());
  const [draggedRow, setDraggedRow] = useState<number | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [announcement, setAnnouncement] = useState('');
  const [isInserting, setInserting] = useState(false);
  const [refocus, setRefocus] = useState<{ row: number }>();
  const insertedRecords = useInsertedRecords(field, rows);
  const recordColumn = field.insertedRows && field.columns[field.insertedRows.by];
  const isFull = rows.length >= field.maxItems;
  const hasMarkdown = columns.some(isMarkdown);
  const activeColumn = active ? columns[active.column] : undefined;
  const isMarked = activeColumn !== undefined && isMarkdown(activeColumn);
  const cellBox = () => frame.current?.querySelector<HTMLElement>(`[id="${id}-cell"]`) ?? null;
  const dialogs = useRef<MarkdownDialogs>(null);
  const markdownEdits = useMarkdownEdits({
    target: () => (isMarked ? (cellBox() as HTMLTextAreaElement | null) : null),
    pictures,
    onSpoken: setAnnouncement,
  });
  const numbers = rowNumbers(field, rows);
  const isInserted = (row: number) => rows[row] !== undefined && insertsRecord(field, rows[row]);

  // Elements follow their rows only after these were rendered in their new order.
  useEffect(() => {
    if (!refocus) return;
    const find = (part: string) => frame.current?.querySelector<HTMLElement>(`[data-${part}="${refocus.row}"]`);
    (find('fold') ?? find('grip'))?.focus();
  }, [refocus]);

  const createRow = () => emptyRow(field, defaultOf);
  const set = (row: number, column: Field, cell: unknown) =>
    edits.edit(
      edits
        .current()
        .map((rowValues, index) => (index === row ? { ...rowValues, [column.name]: cell ?? null } : rowValues)),
      `${row} ${column.name}`,
    );
  const add = (index = edits.current().length) => {
    if (isUnchosen.current) return;
    const now = edits.current();
    if (now.length >= field.maxItems) return setAnnouncement(`There can be at most ${field.maxItems} rows.`);
    edits.edit([...now.slice(0, index), createRow(), ...now.slice(index)]);
    setChosenRows(new Set());
    setActive({ row: index, column: 0 });
  };
  const move = (fromIndex: number, toIndex: number) => {
    if (isUnchosen.current) return;
    const next = moveRow(edits.current(), fromIndex, toIndex);
    if (next === edits.current()) return;
    edits.edit(next);
    setChosenRows(new Set());
    setActive((current) => current && { ...current, row: toIndex });
    if (!active) setRefocus({ row: toIndex });
    setAnnouncement(`Row ${fromIndex + 1} is now row ${toIndex + 1}.`);
  };
  const copy = (row: number) => {
    if (isUnchosen.current) return;
    if (edits.current().length >= field.maxItems)
      return setAnnouncement(`There can be at most ${field.maxItems} rows.`);
    edits.edit(copyRow(edits.current(), row));
    setChosenRows(new Set());
    if (active) setActive({ row: row + 1, column: active.column });
    else setRefocus({ row: row + 1 });
    setAnnouncement(`Row ${row + 1} was copied.`);
  };
  const detach = (row: number) => {
    const now = edits.current();
    const rowCount = rowsIn(now[row]?.[insertedRows]).length;
    if (now.length - 1 + rowCount > field.maxItems)
      return setAnnouncement(`There can be at most ${field.maxItems} rows: ${rowCount} more are too many.`);
    edits.edit(detachRow(field, now, row));
    setChosenRows(new Set());
    setRefocus({ row });
    setAnnouncement(
      rowCount === 1 ? 'One row belongs to this record now.' : `${rowCount} rows belong to this record now.`,
    );
  };
  const insert = async (id: unknown) => {
    setInserting(false);
    if (id === undefined || id === null) return;
    const row = await insertedRecords?.rowOf(id);
    if (!row) return;
    const now = edits.current();
    const index = chosenRows.size > 0 ? Math.max(...chosenRows) + 1 : now.length;
    edits.edit([...now.slice(0, index), row, ...now.slice(index)]);
    setChosenRows(new Set());
    setRefocus({ row: index });
    setAnnouncement(`Row ${index + 1} was inserted.`);
  };
  const share = () => {
    const [first, count] = [Math.min(...chosenRows), chosenRows.size];
    insertedRecords?.create(rows.slice(first, first + count), (row) => {
      const now = edits.current();
      edits.edit([...now.slice(0, first), row, ...now.slice(first + count)]);
      setChosenRows(new Set());
      setRefocus({ row: first });
    });
  };
  const remove = (rowIndexes: ReadonlySet<number>) => {
    const left = edits.current().filter((_, index) => !rowIndexes.has(index));
    edits.edit(left);
    setChosenRows(new Set());
    setActive(null);
    setAnnouncement(rowIndexes.size === 1 ? 'One row was removed.' : `${rowIndexes.size} rows were removed.`);
    if (left.length === 0) frame.current?.focus();
    else setRefocus({ row: Math.min(...rowIndexes, left.length - 1) });
  };

  const go = (event: KeyboardEvent, row: number, column: number): boolean => {
    if (row >= 0 && row < rows.length && column === columns.length) {
      event.preventDefault();
      frame.current?.querySelector<HTMLElement>(`[data-copy="${row}"]`)?.focus();
      return true;
    }
    if (row < 0 || row >= rows.length || column < 0 || column >= columns.length) return false;
    event.preventDefault();
    if (isInserted(row) && !isUnchosen.current) {
      setActive(null);
      setRefocus({ row });
    } else activate({ row, column });
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, altKey, shiftKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const position = placeOf(event.target as Element);
    if (markdownEdits.onKeyDown(event, () => dialogs.current?.openLink()) || openSnippets(event)) return;
    if (altKey && key === 'F10') {
      event.preventDefault();
      return focusToolbar(frame.current);
    }
    if (isControl && (key.toLowerCase() === 'z' || key.toLowerCase() === 'y')) {
      event.preventDefault();
      return key.toLowerCase() === 'y' || shiftKey ? edits.redo() : edits.undo();
    }
    if (isControl && key === 'Enter') {
      event.preventDefault();
      return add(position ? position.row + 1 : undefined);
    }
    if (key === 'Delete' && chosenRows.size > 0 && !isTyping(event.target as Element)) return remove(chosenRows);
    if (!position) return;
    const { row, column } = position;
    if (key === 'Delete' && column < 0 && !isTyping(event.target as Element)) {
      event.preventDefault();
      return remove(new Set([row]));
    }
    if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
      event.preventDefault();
      return move(row, key === 'ArrowUp' ? row - 1 : row + 1);
    }
    if (isControl && key.toLowerCase() === 'd') {
      event.preventDefault();
      return copy(row);
    }
    if (key === 'Tab' && isUnchosen.current) event.preventDefault();
    if (event.defaultPrevented) return;
    if (column < 0) {
      if (isInserted(row) && !altKey && (key === 'ArrowUp' || key === 'ArrowDown'))
        go(event, key === 'ArrowUp' ? row - 1 : row + 1, 0);
      if (key === 'ArrowLeft' && (event.target as HTMLElement).dataset.copy !== undefined)
        go(event, row, columns.length - 1);
      return;
    }
    if (key === 'Tab') {
      const next = row * columns.length + column + (shiftKey ? -1 : 1);
      return void go(
        event,
        Math.floor(next / columns.length),
        ((next % columns.length) + columns.length) % columns.length,
      );
    }
    if (isOpen(event.target as Element)) return;
    if (key === 'Enter' && !shiftKey && !isRichText(event.target as Element)) {
      event.preventDefault();
      if (!go(event, row + 1, column)) add();
    }
    const isSingleLine = (event.target as Element).tagName !== 'TEXTAREA' && !isRichText(event.target as Element);
    if (isSingleLine && !isList(columns[column]!) && (key === 'ArrowUp' || key === 'ArrowDown'))
      go(event, key === 'ArrowUp' ? row - 1 : row + 1, column);
    if (isAtEdge(event.target as Element, key)) go(event, row, key === 'ArrowLeft' ? column - 1 : column + 1);
  };
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    if (markdownEdits.onPaste(event)) return;
    const position = placeOf(event.target as Element);
    const text = event.clipboardData.getData('text/plain');
    if (!position || position.column < 0 || !/[\t\n]/.test(text.replace(/\r?\n$/, ''))) return;
    event.preventDefault();
    event.stopPropagation();
    const cells = parseCells(text);
    const left = cells.length - pasteCapacity(field, edits.current(), position.row);
    const findChoiceId = (column: Field, title: string) =>
      columnChoices?.(column)?.known?.find((choice) => choice.title.toLowerCase() === title.toLowerCase())?.id;
    edits.edit(pasteCells(field, edits.current(), position, cells, { fresh: createRow, idOf: findChoiceId }));
    // The cell shows what it has now, not what was typed into it.
    setActive(null);
    setAnnouncement(
      left > 0
        ? `There can be at most ${field.maxItems} rows: ${left} of the pasted ones were left out.`
        : `${cells.length} rows were pasted.`,
    );
  };
  const onDrop = (event: DragEvent, row: number) => {
    event.preventDefault();
    if (draggedRow !== null) move(draggedRow, row);
    setDraggedRow(null);
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
      onBlur={({ currentTarget, relatedTarget, target }) => {
        const isWithin = currentTarget.contains(relatedTarget) || relatedTarget?.closest('[data-of-cell]');
        // The window of a file chooser takes the focus from the page, not from the cell.
        if (!isWithin && !isOpen(target) && target.ownerDocument.activeElement !== target) activate(null);
      }}
    >
      {!readOnly && (
        <RowToolbar
          row={active?.row ?? (chosenRows.size === 1 ? [...chosenRows][0] : undefined)}
          last={rows.length - 1}
          canUndo={edits.canUndo}
          canRedo={edits.canRedo}
          onUndo={edits.undo}
          onRedo={edits.redo}
          onMove={move}
          onLeave={() => cellBox()?.focus()}
        >
          {hasMarkdown && (
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
          <thead>
            <tr>
              {readOnly ? (
                recordColumn && <td className={styles.rowNumber}>#</td>
              ) : (
                <td className={styles.rowTools}>#</td>
              )}
              {shownColumns.map((column) => (
                <th key={column.name} scope="col">
                  {column.label}
                  {column.required && <b aria-hidden="true">*</b>}
                </th>
              ))}
              {!readOnly && <td className={styles.rowEnd} />}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr
                key={keyOf(row, index)}
                data-chosen={chosenRows.has(index) || undefined}
                data-dragged={draggedRow === index || undefined}
                onDragOver={(event) => draggedRow !== null && event.preventDefault()}
                onDrop={(event) => onDrop(event, index)}
              >
                {!readOnly && (
                  <td className={styles.rowTools} data-place={`${index} -1`} onFocus={() => activate(null)}>
                    <span>
                      <IconButton
                        size="small"
                        data-grip={index}
                        className={styles.rowHandle}
                        draggable
                        aria-label={`Move row ${index + 1}`}
                        title="Drag, or Alt with an arrow"
                        onDragStart={(event) => {
                          event.dataTransfer.effectAllowed = 'move';
                          event.dataTransfer.setData('text/plain', String(index));
                          setDraggedRow(index);
                        }}
                        onDragEnd={() => setDraggedRow(null)}
                      >
                        <Icon name="grip" size={14} />
                      </IconButton>
                      <span className={styles.rowChoose}>
                        <span className={`${styles.rowPlace} num`} aria-hidden="true">
                          {insertsRecord(field, row) ? '' : numbers[index]}
                        </span>
                        <Checkbox
                          size="small"
                          className={styles.rowChoice}
                          checked={chosenRows.has(index)}
                          slotProps={{ input: { 'aria-label': `Choose row ${index + 1}` } }}
                          onChange={(_, isChosen) =>
                            setChosenRows(
                              (previous) =>
                                new Set(
                                  isChosen
                                    ? [...previous, index]
                                    : [...previous].filter((rowIndex) => rowIndex !== index),
                                ),
                            )
                          }
                        />
                      </span>
                    </span>
                  </td>
                )}
                {readOnly && recordColumn && (
                  <td className={`${styles.rowNumber} num`}>{insertsRecord(field, row) ? '' : numbers[index]}</td>
                )}
                {insertsRecord(field, row) && (
                  <td
                    colSpan={shownColumns.length + (readOnly ? 0 : 1)}
                    className={styles.insertedCell}
                    data-place={`${index} -1`}
                    onFocus={() => activate(null)}
                  >
                    <InsertedRow
                      {...{ field, columns, row, index, readOnly }}
                      {...(columnChoices && { columnChoices })}
                      number={numbers[index]!}
                      choices={columnChoices?.(recordColumn!)}
                      error={cellErrors?.[`[${index}].${recordColumn!.name}`]}
                      used={insertedRecords?.usedIn(row[recordColumn!.name])}
                      path={
                        insertedRecords?.mayOpen
                          ? `/${insertedRecords.definition.name}/${String(row[recordColumn!.name])}`
                          : undefined
                      }
                      onDetach={() => detach(index)}
                      onRemove={() => remove(new Set([index]))}
                    />
                  </td>
                )}
                {(insertsRecord(field, row) ? [] : shownColumns).map((column) => {
                  const columnIndex = columns.indexOf(column);
                  if (columnIndex < 0)
                    return (
                      <td key={column.name} data-label={column.label} className="num">
                        <output className={styles.cellShown} aria-label={`${column.label}, row ${index + 1}`}>
                          <CellText
                            column={column}
                            row={row}
                            value={computedRows[index]?.[column.name]}
                            choices={undefined}
                          />
                        </output>
                      </td>
                    );
                  return (
                    <td
                      key={column.name}
                      data-label={column.label}
                      data-place={`${index} ${columnIndex}`}
                      data-picture={pictures?.add && isMarkdown(column) ? '' : undefined}
                    >
                      <Cell
                        {...{ id, column, readOnly, row, pictures }}
                        value={row[column.name]}
                        name={`${column.label}, row ${index + 1}`}
                        error={cellErrors?.[`[${index}].${column.name}`]}
                        choices={columnChoices?.(column)}
                        isActive={active?.row === index && active.column === columnIndex}
                        onFocus={() => activate({ row: index, column: columnIndex })}
                        onChange={(cell) => set(index, column, cell)}
                        {...(isList(column) && {
                          onPending: (message) => {
                            isUnchosen.current = message !== undefined;
                            onPending?.(message && `Row ${index + 1}, ${column.label}: ${message}`);
                          },
                          onProblem: (message) =>
                            onProblem?.(message && `Row ${index + 1}, ${column.label}: ${message}`),
                        })}
                      />
                    </td>
                  );
                })}
                {!readOnly && !insertsRecord(field, row) && (
                  <td className={styles.rowEnd} data-place={`${index} -1`} onFocus={() => activate(null)}>
                    <span>
                      <IconButton
                        size="small"
                        data-copy={index}
                        disabled={isFull}
                        aria-label={`Copy row ${index + 1}`}
                        title="Copy row (Ctrl D)"
                        onClick={() => copy(index)}
                      >
                        <Icon name="copy" size={16} />
                      </IconButton>
                      <IconButton
                        size="small"
                        aria-label={`Remove row ${index + 1}`}
                        title="Remove row"
                        onClick={() => remove(new Set([index]))}
                      >
                        <Icon name="trash" size={16} />
                      </IconButton>
                    </span>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length === 0 && readOnly && <p className={styles.noRows}>{field.emptyText ?? 'None'}</p>}
      {!readOnly && (
        <div className={styles.rowButtons}>
          <Button
            variant="outlined"
            size="small"
            disabled={isFull}
            onClick={() => add()}
            startIcon={<Icon name="plus" size={14} />}
          >
            Add row
          </Button>
          {recordColumn && insertedRecords?.mayOpen && (
            <Button
              variant="outlined"
              size="small"
              disabled={isFull}
              aria-expanded={isInserting}
              onClick={() => setInserting(!isInserting)}
              startIcon={<Icon name="layers" size={14} />}
            >
              Insert {recordColumn.label.toLowerCase()}
            </Button>
          )}
          {recordColumn && insertedRecords?.mayCreate && canBeShared(field, rows, chosenRows) && (
            <Button variant="outlined" size="small" onClick={share} startIcon={<Icon name="layers" size={14} />}>
              Make {recordColumn.label.toLowerCase()}
            </Button>
          )}
          {chosenRows.size > 0 && (
            <Button variant="text" size="small" color="error" onClick={() => remove(chosenRows)}>
              {chosenRows.size === 1 ? 'Remove the chosen row' : `Remove the ${chosenRows.size} chosen rows`}
            </Button>
          )}
          <span className={styles.rowHints} aria-hidden="true">
            <kbd>Alt ↑</kbd> <kbd>Alt ↓</kbd> move <kbd>Tab</kbd> next cell <kbd>Ctrl D</kbd> copy
          </span>
        </div>
      )}
      {isInserting && recordColumn && (
        <div
          className={styles.rowInsertion}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !isOpen(event.target as Element)) setInserting(false);
          }}
        >
          <label className="unseen" id={`${id}-insert-label`} htmlFor={`${id}-insert`}>
            {recordColumn.label}
          </label>
          <FieldInput
            id={`${id}-insert`}
            field={recordColumn}
            value={undefined}
            onChange={(record) => void insert(record)}
            choices={columnChoices?.(recordColumn)}
            placeholder={`Search ${recordColumn.label.toLowerCase()}`}
            size="small"
            autoFocus
          />
        </div>
      )}
      <p className="unseen" role="status">
        {announcement}
      </p>
    </div>
  );
}

interface CellProps {
  id: string;
  column: Field;
  row: ResourceRecord;
  value: unknown;
  name: string;
  readOnly: boolean;
  error: string | undefined;
  choices: InputProps['choices'];
  pictures: PicturesOfRecord | undefined;
  isActive: boolean;
  onFocus: () => void;
  onChange: (value: unknown) => void;
  onPending?: InputProps['onPending'];
  onProblem?: InputProps['onProblem'];
}

/** A cell: its text, and its input while it has the focus. */
function Cell({ id, column, row, value, name, readOnly, error, choices, pictures, isActive, ...handlers }: CellProps) {
  const text = <CellText {...{ column, row, value, choices }} pictures={pictures?.known} inert={!readOnly} />;
  if (readOnly) return <span className={styles.cellShown}>{text}</span>;
  if (!isActive)
    return (
      <button
        type="button"
        className={styles.cellShown}
        aria-label={name}
        aria-invalid={error === undefined ? undefined : true}
        title={error}
        data-error={error === undefined ? undefined : ''}
        onFocus={handlers.onFocus}
        onClick={handlers.onFocus}
      >
        {text}
      </button>
    );
  const control = `${id}-cell`;
  // The toolbar above the rows serves all cells.
  const { markdown: _own, ...field }: Field = column;
  return (
    <>
      <label className="unseen" id={`${control}-label`} htmlFor={control}>
        {name}
      </label>
      <FieldInput
        id={control}
        field={field}
        value={value ?? undefined}
        onChange={handlers.onChange}
        {...(handlers.onPending && { onPending: handlers.onPending, onProblem: handlers.onProblem })}
        required={column.required}
        invalid={error !== undefined}
        choices={choices}
        beside={row}
        size="small"
        autoFocus
      />
    </>
  );
}

/** A default with its variables resolved, as far as the browser knows them. */
function defaultOf(value: unknown): unknown {
  if (!isVariable(value)) return value;
  const resolvedValue = resolveVariable(value, { today: localToday(), now: new Date().toISOString() });
  return resolvedValue === unresolved ? undefined : resolvedValue;
}

/** Rows keep their inputs while others are moved; new ones are known by their place. */
function keyOf({ id }: ResourceRecord, index: number): string {
  return typeof id === 'number' ? String(id) : `new ${index}`;
}

function placeOf(target: Element): Place | undefined {
  const [row, column] = (target.closest<HTMLElement>('[data-place]')?.dataset.place ?? '').split(' ').map(Number);
  return row === undefined || column === undefined ? undefined : { row, column };
}

const isTyping = (target: Element) =>
  target.matches('input:not([type=checkbox]), textarea') || (target as HTMLElement).isContentEditable;
const isList = ({ options, to: targetName }: Field) => options !== undefined || targetName !== undefined;
const isRichText = (target: Element) => (target as HTMLElement).isContentEditable;
/** A list of choices is open: the keys are its own. */
const isOpen = (target: Element) => target.getAttribute('aria-expanded') === 'true';

/** Whether an arrow leaves the text of an input at its end. */
function isAtEdge(target: Element, key: string): boolean {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return false;
  if (target.type === 'checkbox') return true;
  const { selectionStart, selectionEnd, value } = target;
  if (selectionStart !== selectionEnd) return false;
  return key === 'ArrowLeft' ? selectionStart === 0 : selectionEnd === value.length;
}
