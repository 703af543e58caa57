import { useRef, useState, type RefObject } from 'react';
import { resolveVariable, unresolved } from '../../../engine/conditions/variables';
import { isVariable } from '../../../engine/conditions/grammar';
import type { Field, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { insertedRows, rowsIn } from '../../../engine/field-types/rows';
import {
  copyRow,
  detachRow,
  emptyRow,
  moveRow,
  parseCells,
  pasteCapacity,
  pasteCells,
  withoutEmptyEnd,
} from '../../../engine/forms/row-edits';
import type { InputProps } from '../fieldType';
import { localToday } from '../../data/localTime';
import type { InsertedRecords } from './useInsertedRecords';
import { useRowEdits } from './useRowEdits';

/** A cell of the grid, by its indexes; the tools of a row have the column -1. */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

interface RowCommandOptions {
  field: FieldOf<'rows'>;
  rows: readonly ResourceRecord[];
  onChange: (rows: readonly ResourceRecord[]) => void;
  insertedRecords: InsertedRecords | undefined;
  frame: RefObject<HTMLElement | null>;
}

const noRows: ReadonlySet<number> = new Set();

export type RowCommands = ReturnType<typeof useRowCommands>;

/** The commands of a grid of rows, with the cell that has the input, the chosen rows and the last announcement. */
export function useRowCommands({ field, rows, onChange, insertedRecords, frame }: RowCommandOptions) {
  const edits = useRowEdits(rows, onChange);
  const [active, setActive] = useState<CellPosition | null>(null);
  // The cell's typed text is no choice yet, and would be lost with its input.
  const isUnchosen = useRef(false);
  const [chosenRows, setChosenRows] = useState(noRows);
  const [focusRequest, setFocusRequest] = useState<{ row: number }>();
  const [announcement, setAnnouncement] = useState('');

  const tooMany = `There can be at most ${field.maxItems} rows`;
  const createRow = () => newRow(field);
  const focusRow = (row: number) => setFocusRequest({ row });
  /** Other rows than before end the choice of rows, which is by their indexes. */
  const replaceRows = (next: readonly ResourceRecord[]) => {
    edits.edit(next);
    setChosenRows(noRows);
  };
  const spliceRows = (index: number, deleteCount: number, row: ResourceRecord) =>
    replaceRows(edits.current().toSpliced(index, deleteCount, row));

  const activate = (position: CellPosition | null) => {
    if (!isUnchosen.current) setActive(position);
  };
  const setCell = (row: number, column: Field, value: unknown) =>
    edits.edit(
      edits
        .current()
        .map((rowValues, index) => (index === row ? { ...rowValues, [column.name]: value ?? null } : rowValues)),
      `${row} ${column.name}`,
    );
  const add = (index = edits.current().length) => {
    if (isUnchosen.current) return;
    if (edits.current().length >= field.maxItems) return setAnnouncement(`${tooMany}.`);
    spliceRows(index, 0, createRow());
    setActive({ row: index, column: 0 });
  };
  const move = (oldIndex: number, newIndex: number) => {
    if (isUnchosen.current) return;
    const next = moveRow(edits.current(), oldIndex, newIndex);
    if (next === edits.current()) return;
    replaceRows(next);
    setActive((current) => current && { ...current, row: newIndex });
    if (!active) focusRow(newIndex);
    setAnnouncement(`Row ${oldIndex + 1} is now row ${newIndex + 1}.`);
  };
  const copy = (row: number) => {
    if (isUnchosen.current) return;
    if (edits.current().length >= field.maxItems) return setAnnouncement(`${tooMany}.`);
    replaceRows(copyRow(edits.current(), row));
    if (active) setActive({ row: row + 1, column: active.column });
    else focusRow(row + 1);
    setAnnouncement(`Row ${row + 1} was copied.`);
  };
  const detach = (row: number) => {
    const currentRows = edits.current();
    const rowCount = rowsIn(currentRows[row]?.[insertedRows]).length;
    if (currentRows.length - 1 + rowCount > field.maxItems)
      return setAnnouncement(`${tooMany}: ${rowCount} more are too many.`);
    replaceRows(detachRow(field, currentRows, row));
    focusRow(row);
    setAnnouncement(
      rowCount === 1 ? 'One row belongs to this record now.' : `${rowCount} rows belong to this record now.`,
    );
  };
  const insert = async (id: unknown) => {
    const row = await insertedRecords?.rowOf(id);
    if (!row) return;
    const ownRows = withoutEmptyEnd(field, edits.current());
    const index = chosenRows.size > 0 ? Math.max(...chosenRows) + 1 : ownRows.length;
    replaceRows(ownRows.toSpliced(index, 0, row));
    focusRow(index);
    setAnnouncement(`Row ${index + 1} was inserted.`);
  };
  /** Makes a record of the chosen rows, which stands in their place. */
  const share = () => {
    const [first, count] = [Math.min(...chosenRows), chosenRows.size];
    insertedRecords?.create(rows.slice(first, first + count), (row) => {
      spliceRows(first, count, row);
      focusRow(first);
    });
  };
  const remove = (rowIndexes: ReadonlySet<number>) => {
    const remainingRows = edits.current().filter((_, index) => !rowIndexes.has(index));
    replaceRows(remainingRows);
    setActive(null);
    setAnnouncement(rowIndexes.size === 1 ? 'One row was removed.' : `${rowIndexes.size} rows were removed.`);
    if (remainingRows.length === 0) frame.current?.focus();
    else focusRow(Math.min(...rowIndexes, remainingRows.length - 1));
  };
  const choose = (row: number, isChosen: boolean) =>
    setChosenRows((previous) => {
      const next = new Set(previous);
      if (isChosen) next.add(row);
      else next.delete(row);
      return next;
    });
  /** Fills the rows from a cell on with the cells of a spreadsheet. */
  const paste = (text: string, position: CellPosition, columnChoices: InputProps['columnChoices']) => {
    const cells = parseCells(text);
    const excess = cells.length - pasteCapacity(field, edits.current(), position.row);
    const findChoiceId = (column: Field, title: string) =>
      columnChoices?.(column)?.knownChoices?.find((choice) => choice.title.toLowerCase() === title.toLowerCase())?.id;
    replaceRows(pasteCells(field, edits.current(), position, cells, { fresh: createRow, idOf: findChoiceId }));
    // The cell shows what it has now, not what was typed into it.
    setActive(null);
    setAnnouncement(
      excess > 0 ? `${tooMany}: ${excess} of the pasted ones were left out.` : `${cells.length} rows were pasted.`,
    );
  };

  const endChoice = (run: () => void) => (): void => {
    run();
    setChosenRows(noRows);
  };

  return {
    edits: { ...edits, undo: endChoice(edits.undo), redo: endChoice(edits.redo) },
    active,
    /** Whether the text that is typed into the active cell is no choice yet. */
    isUnchosen: () => isUnchosen.current,
    setUnchosen: (next: boolean) => {
      isUnchosen.current = next;
    },
    isFull: rows.length >= field.maxItems,
    chosenRows,
    focusRequest,
    announcement,
    setAnnouncement,
    /** Gives a cell its input, or takes it away, unless its text would be lost. */
    activate,
    /** Moves the focus to the tools of a row, which ends the input of a cell. */
    leaveTo: (row: number) => {
      setActive(null);
      focusRow(row);
    },
    setCell,
    add,
    move,
    copy,
    detach,
    insert,
    share,
    remove,
    choose,
    paste,
  };
}

/** A new row of the grid. */
export function newRow(field: FieldOf<'rows'>): ResourceRecord {
  return emptyRow(field, defaultOf);
}

/** A default with its variables resolved, as far as the browser knows them. */
function defaultOf(value: unknown): unknown {
  if (!isVariable(value)) return value;
  const resolvedValue = resolveVariable(value, { today: localToday(), now: new Date().toISOString() });
  return resolvedValue === unresolved ? undefined : resolvedValue;
}
