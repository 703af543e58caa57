import type { KeyboardEvent } from 'react';
import type { Field, ResourceRecord } from '../../../engine/definitions/definition';
import type { CellPosition, RowCommands } from './useRowCommands';

/** The grid as its keys see it. */
export interface KeyedGrid {
  frame: HTMLElement | null;
  columns: readonly Field[];
  rows: readonly ResourceRecord[];
  commands: RowCommands;
  isInserted(row: number): boolean;
}

type GridKey = KeyboardEvent<HTMLElement>;

/**
 * Handles a key of the grid: those of the whole grid, then those of the row that has the focus, then those of its tools or
 * of its cell.
 */
export function handleRowKey(event: GridKey, grid: KeyedGrid): void {
  const position = positionOf(event.target as Element);
  if (handleGridKey(event, grid, position) || !position || handleEditKey(event, grid, position)) return;
  if (event.key === 'Tab' && grid.commands.isUnchosen()) event.preventDefault();
  if (event.defaultPrevented) return;
  if (position.column < 0) handleToolKey(event, grid, position);
  else handleCellKey(event, grid, position);
}

/** Undo and redo, a new row, and the deletion of the chosen rows. */
function handleGridKey(event: GridKey, { commands }: KeyedGrid, position: CellPosition | undefined): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  const lowerKey = event.key.toLowerCase();
  if (isControl && (lowerKey === 'z' || lowerKey === 'y')) {
    event.preventDefault();
    if (lowerKey === 'y' || event.shiftKey) commands.edits.redo();
    else commands.edits.undo();
  } else if (event.altKey && event.key === 'Enter') {
    event.preventDefault();
    commands.add(position ? position.row + 1 : undefined);
  } else if (event.key === 'Delete' && commands.chosenRows.size > 0 && !isTyping(event.target as Element)) {
    commands.remove(commands.chosenRows);
  } else return false;
  return true;
}

/** Deletes, moves or copies the row that has the focus. */
function handleEditKey(event: GridKey, { commands }: KeyedGrid, { row, column }: CellPosition): boolean {
  const { key, altKey } = event;
  if (key === 'Delete' && column < 0 && !isTyping(event.target as Element)) commands.remove(new Set([row]));
  else if (altKey && isVertical(key)) commands.move(row, row + stepOf(key));
  else if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'd') commands.copy(row);
  else return false;
  event.preventDefault();
  return true;
}

/** Arrows lead from the tools of a row to another row, and to what is beside them in their own. */
function handleToolKey(event: GridKey, grid: KeyedGrid, { row }: CellPosition): void {
  const { key, altKey } = event;
  if (grid.isInserted(row) && !altKey && isVertical(key)) focusCell(event, grid, { row: row + stepOf(key), column: 0 });
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
  const target = event.target as HTMLElement;
  const controls = [...(target.closest('tr')?.querySelectorAll<HTMLElement>(':is(button, input):enabled') ?? [])];
  const next = controls[controls.indexOf(target) + (key === 'ArrowRight' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Tab leads through the cells, Enter and the arrows to those around. */
function handleCellKey(event: GridKey, grid: KeyedGrid, { row, column }: CellPosition): void {
  const { key, shiftKey } = event;
  const target = event.target as Element;
  const columnCount = grid.columns.length;
  if (key === 'Tab') {
    const index = row * columnCount + column + (shiftKey ? -1 : 1);
    const nextRow = Math.floor(index / columnCount);
    focusCell(event, grid, { row: nextRow, column: index - nextRow * columnCount });
    return;
  }
  if (isOpenList(target)) return;
  if (key === 'Enter' && !shiftKey && !isRichText(target)) {
    event.preventDefault();
    if (!focusCell(event, grid, { row: row + 1, column })) grid.commands.add();
  }
  const isSingleLine = target.tagName !== 'TEXTAREA' && !isRichText(target);
  const field = grid.columns[column];
  if (isSingleLine && field && !isList(field) && isVertical(key))
    focusCell(event, grid, { row: row + stepOf(key), column });
  if (isAtEdge(target, key)) focusCell(event, grid, { row, column: key === 'ArrowLeft' ? column - 1 : column + 1 });
}

/** Moves to a cell, or before the first and behind the last one to the tools of its row; false: there is none. */
function focusCell(event: GridKey, grid: KeyedGrid, position: CellPosition): boolean {
  const { row, column } = position;
  const { frame, columns, rows, commands } = grid;
  if (row < 0 || row >= rows.length || column < -1 || column > columns.length) return false;
  event.preventDefault();
  if (column < 0) frame?.querySelector<HTMLElement>(`[data-grip="${row}"]`)?.focus();
  else if (column === columns.length) frame?.querySelector<HTMLElement>(`[data-copy="${row}"]`)?.focus();
  else if (grid.isInserted(row) && !commands.isUnchosen()) commands.leaveTo(row);
  else commands.activate(position);
  return true;
}

/** The place of an element in the grid; the tools of a row have the column -1. */
export function positionOf(target: Element): CellPosition | undefined {
  const [row, column] = (target.closest<HTMLElement>('[data-place]')?.dataset.place ?? '').split(' ').map(Number);
  return row === undefined || column === undefined ? undefined : { row, column };
}

/** Whether a column's input is a list of choices. */
export const isList = ({ options, to: targetName }: Field) => options !== undefined || targetName !== undefined;

/** A list of choices is open: the keys are its own. */
export const isOpenList = (target: Element) => target.getAttribute('aria-expanded') === 'true';

const isVertical = (key: string) => key === 'ArrowUp' || key === 'ArrowDown';
const stepOf = (key: string) => (key === 'ArrowUp' ? -1 : 1);
const isRichText = (target: Element) => (target as HTMLElement).isContentEditable;
const isTyping = (target: Element) => target.matches('input:not([type=checkbox]), textarea') || isRichText(target);

/** Whether an arrow leaves the text of an input at its end. */
function isAtEdge(target: Element, key: string): boolean {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return false;
  if (target.type === 'checkbox') return true;
  const { selectionStart, selectionEnd, value } = target;
  if (selectionStart !== selectionEnd) return false;
  return key === 'ArrowLeft' ? selectionStart === 0 : selectionEnd === value.length;
}
