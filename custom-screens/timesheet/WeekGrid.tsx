import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Popover from '@mui/material/Popover';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Definition } from '../../src/engine/definitions/definition';
import { formatDate, formatTimeOfDay } from '../../src/engine/formats/dates';
import { pagePath } from '../../src/engine/lists/row-actions';
import { itemAt } from '../../src/engine/values/lookups';
import { areSingleKeysOn } from '../../src/app/commands/commands';
import { latinLetter } from '../../src/app/commands/keys';
import { timeFieldsOf, type TimeTarget } from '../../src/app/timer/timeFields';
import { formatDecimalHours } from './hours';
import { monthOf, shortDayName } from './months';
import type { TimeLog, TimesheetMonth } from './timesheetApi';
import { useLogForms } from './useLogForms';
import { cellKey, useWeekCells, type WeekCell } from './useWeekCells';
import { daysOfWeek, describeDifference, formatMinutes, minutesOf, parseCell } from './weeks';
import { Meter } from './Meter';
import * as styles from './week.module.css';

interface WeekGridProps {
  definition: Definition;
  months: readonly TimesheetMonth[];
  week: string;
  today: string;
  isOwn: boolean;
  hasTargets: boolean;
  addedTasks: readonly TimeTarget[];
  /** Below the rows. */
  foot: ReactNode;
}

/** The text of the cell that is edited. */
interface Draft {
  readonly text: string;
  /** It was typed, and is not what is stored. */
  readonly isTyped: boolean;
}

interface Position {
  readonly row: number;
  readonly day: number;
}

const moves: Readonly<Record<string, Position>> = {
  ArrowUp: { row: -1, day: 0 },
  ArrowDown: { row: 1, day: 0 },
  ArrowLeft: { row: 0, day: -1 },
  ArrowRight: { row: 0, day: 1 },
};

/** Tasks and days; the hours of a cell are typed, and stored as it is left. */
export function WeekGrid({ definition, months, week, today, isOwn, hasTargets, addedTasks, foot }: WeekGridProps) {
  const days = daysOfWeek(week);
  const logs = months.flatMap((sheet) => sheet.logs).filter(({ date }) => days.includes(date));
  const tasks = useRows(logs, addedTasks);
  const { pendingMinutes, lastChange, set: setMinutes, setComment } = useWeekCells(definition);
  const { show, mayAdd, mayChange } = useLogForms(definition, today, isOwn);
  const table = useRef<HTMLTableElement>(null);
  const [position, setPosition] = useState<Position>({ row: 0, day: Math.max(0, days.indexOf(today)) });
  const [draft, setDraft] = useState<Draft>();
  const [isWrong, setWrong] = useState(false);
  const [popup, setPopup] = useState<{ kind: 'logs' | 'comment'; cell: WeekCell; anchor: HTMLElement }>();
  const needsFocus = useRef(false);
  useEffect(() => {
    if (!needsFocus.current) return;
    needsFocus.current = false;
    table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });

  const logsByCell = new Map<string, TimeLog[]>();
  for (const log of logs) {
    const key = cellKey(log.task?.id ?? 0, log.date);
    logsByCell.set(key, [...(logsByCell.get(key) ?? []), log]);
  }
  const cellOf = ({ row, day }: Position): WeekCell => {
    const task = itemAt(tasks, row);
    const date = itemAt(days, day);
    return { task, date, logs: logsByCell.get(cellKey(task.id, date)) ?? [] };
  };
  const minutesIn = ({ task, date, logs: cellLogs }: WeekCell) =>
    pendingMinutes.get(cellKey(task.id, date)) ?? cellLogs.reduce((sum, log) => sum + minutesOf(log), 0);
  const isEditable = ({ task, date, logs: cellLogs }: WeekCell) =>
    isOwn &&
    date <= today &&
    task.id > 0 &&
    !pendingMinutes.has(cellKey(task.id, date)) &&
    (cellLogs.length === 0 ? mayAdd : cellLogs.length === 1 && mayChange(itemAt(cellLogs, 0)));
  const totalOf = (day: number) => tasks.reduce((sum, _, row) => sum + minutesIn(cellOf({ row, day })), 0) / 60;
  const targetOf = (day: string) =>
    months.find(({ month }) => month === monthOf(day))?.targets[Number(day.slice(8)) - 1] ?? 0;

  const focusOn = (next: Position) => {
    needsFocus.current = true;
    setPosition({
      row: Math.min(Math.max(next.row, 0), tasks.length - 1),
      day: Math.min(Math.max(next.day, 0), days.length - 1),
    });
  };
  const move = ({ row, day }: Position) => focusOn({ row: position.row + row, day: position.day + day });
  const openLogs = (kind: 'logs' | 'comment', cell: WeekCell, anchor: HTMLElement) => setPopup({ kind, cell, anchor });
  const edit = (target: Position, text: string | undefined, anchor: HTMLElement) => {
    const cell = cellOf(target);
    setPosition(target);
    if (cell.logs.length > 1) return openLogs('logs', cell, anchor);
    if (!isEditable(cell)) {
      if (cell.logs[0] && !pendingMinutes.has(cellKey(cell.task.id, cell.date))) show(cell.logs[0]);
      return;
    }
    if (text !== undefined) setWrong(false);
    const storedText = formatMinutes(minutesIn(cell))
      .replace(/h:(\d\d)m$/, ':$1')
      .replace(/h$/, '');
    setDraft({ text: text ?? storedText, isTyped: text !== undefined });
  };
  const currentCell = () => table.current?.querySelector<HTMLElement>('[tabindex="0"]');
  /** Of the cell that had the focus last. */
  const comment = () => {
    const anchor = currentCell();
    const cell = tasks.length > 0 ? cellOf(position) : undefined;
    if (cell?.logs[0] && anchor) openLogs(cell.logs.length > 1 ? 'logs' : 'comment', cell, anchor);
  };
  const clear = (cell: WeekCell, anchor: HTMLElement) => {
    if (cell.logs.length > 1) openLogs('logs', cell, anchor);
    else if (cell.logs.length === 1 && isEditable(cell)) setMinutes(cell, 0);
  };
  /** False: it cannot be read. */
  const commit = (): boolean => {
    if (draft === undefined) return true;
    const minutes = parseCell(draft.text);
    setWrong(minutes === undefined);
    if (minutes === undefined) return false;
    const cell = cellOf(position);
    const anchor = currentCell();
    setDraft(undefined);
    if (!draft.isTyped || minutes === minutesIn(cell)) return true;
    // Another log of the cell may have arrived since.
    if (isEditable(cell)) setMinutes(cell, minutes);
    else if (anchor) openLogs('logs', cell, anchor);
    return true;
  };
  // A screen that is left by the history of the browser takes the input away without a blur.
  const commitLeft = useRef(commit);
  useEffect(() => void (commitLeft.current = commit));
  useEffect(() => () => void commitLeft.current(), []);
  const onInputKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const direction = { Enter: 'ArrowDown', Tab: event.shiftKey ? 'ArrowLeft' : 'ArrowRight' }[event.key] ?? event.key;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      setDraft(undefined);
      setWrong(false);
      move({ row: 0, day: 0 });
    } else if (direction !== 'ArrowLeft' && direction !== 'ArrowRight' ? moves[direction] : event.key === 'Tab') {
      event.preventDefault();
      event.stopPropagation();
      if (commit()) move(itemAt(Object.values(moves), Object.keys(moves).indexOf(direction)));
    }
  };
  const onCellKey = (event: KeyboardEvent<HTMLElement>, target: Position) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const cell = cellOf(target);
    const run = (action: () => void) => {
      event.preventDefault();
      action();
    };
    const direction = moves[event.key === 'Enter' ? 'ArrowDown' : event.key];
    // Where a cell cannot be typed into, Enter opens its logs.
    if (event.key === 'Enter' && cell.logs.length > 1) run(() => openLogs('logs', cell, event.currentTarget));
    else if (direction) run(() => move(direction));
    else if (event.key === 'Home' || event.key === 'End')
      run(() => focusOn({ row: target.row, day: event.key === 'Home' ? 0 : days.length - 1 }));
    else if (event.key === 'Delete' || event.key === 'Backspace') run(() => clear(cell, event.currentTarget));
    else if (event.key === 'F2' || /^[\d.,:]$/.test(event.key))
      run(() => edit(target, event.key === 'F2' ? undefined : event.key, event.currentTarget));
    else if (latinLetter(event.nativeEvent) === 'c' && areSingleKeysOn()) run(comment);
  };
  const close = () => {
    setPopup(undefined);
    needsFocus.current = true;
  };
  const weekTotal = days.reduce((sum, _, day) => sum + totalOf(day), 0);
  const weekTarget = days.reduce((sum, day) => sum + targetOf(day), 0);
  return (
    <>
      <Box sx={{ flex: '1 1 auto', minHeight: 300, overflow: 'auto' }}>
        <table ref={table} className={styles.week} role="grid" aria-label="Hours by task and day">
          <thead>
            <tr>
              <th scope="col">Task</th>
              {days.map((day, index) => (
                <th
                  key={day}
                  scope="col"
                  data-today={day === today || undefined}
                  data-free={targetOf(day) === 0 || undefined}
                >
                  <b>{shortDayName(day)}</b>
                  {hasTargets && (targetOf(day) > 0 || totalOf(index) > 0) && (
                    <Meter total={totalOf(index)} target={targetOf(day)} />
                  )}
                </th>
              ))}
              <th scope="col">Week</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((task, row) => (
              <tr key={task.id}>
                <th scope="row">
                  {task.id > 0 ? (
                    <Link to={pagePath(timeFieldsOf(definition).relation.to, task.id)} title={task.title}>
                      {task.title}
                    </Link>
                  ) : (
                    task.title
                  )}
                  {task.id > 0 && <small>#{task.id}</small>}
                </th>
                {days.map((date, day) => {
                  const target = { row, day };
                  const cell = cellOf(target);
                  const isCurrent = position.row === row && position.day === day;
                  const text = formatMinutes(minutesIn(cell));
                  const note = cell.logs
                    .map(({ comments }) => comments)
                    .filter(Boolean)
                    .join(', ');
                  return (
                    <td
                      key={date}
                      role="gridcell"
                      tabIndex={isCurrent ? 0 : -1}
                      aria-readonly={!isEditable(cell)}
                      aria-busy={pendingMinutes.has(cellKey(task.id, date)) || undefined}
                      aria-label={`${formatDate(date)}, ${text || 'no hours'}${cell.logs.length > 1 ? `, ${cell.logs.length} logs` : ''}`}
                      title={note || undefined}
                      data-free={targetOf(date) === 0 || undefined}
                      data-note={note ? true : undefined}
                      data-several={cell.logs.length > 1 || undefined}
                      onFocus={() => draft === undefined && setPosition(target)}
                      onClick={(event) =>
                        !(isCurrent && draft !== undefined) && edit(target, undefined, event.currentTarget)
                      }
                      onKeyDown={(event) => onCellKey(event, target)}
                    >
                      {isCurrent && draft !== undefined ? (
                        <input
                          autoFocus
                          aria-label={`Hours of ${task.title}, ${formatDate(date)}`}
                          aria-invalid={isWrong && draft.isTyped}
                          autoComplete="off"
                          value={draft.text}
                          onFocus={({ target: input }) =>
                            input.setSelectionRange(draft.isTyped ? draft.text.length : 0, draft.text.length)
                          }
                          onChange={({ target }) => {
                            setDraft({ text: target.value, isTyped: true });
                            setWrong(false);
                          }}
                          onBlur={() => {
                            // The window has lost the focus, and the cell has it again with the window.
                            if (!document.hasFocus() || commit()) return;
                            setDraft(undefined);
                          }}
                          onKeyDown={onInputKey}
                        />
                      ) : (
                        text
                      )}
                    </td>
                  );
                })}
                <td>{formatMinutes(days.reduce((sum, _, day) => sum + minutesIn(cellOf({ row, day })), 0))}</td>
              </tr>
            ))}
            {foot && (
              <tr>
                <td colSpan={9}>{foot}</td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total Hours</th>
              {days.map((day, index) => (
                <td key={day}>{totalOf(index) === 0 ? '–' : formatDecimalHours(totalOf(index))}</td>
              ))}
              <td>{formatDecimalHours(weekTotal)}</td>
            </tr>
            {hasTargets && (
              <tr className={styles.weekTarget}>
                <th scope="row">Target {formatDecimalHours(weekTarget)} a week</th>
                {days.map((day, index) => (
                  <td key={day}>{day <= today && describeDifference(totalOf(index), targetOf(day), day === today)}</td>
                ))}
                <td>{describeDifference(weekTotal, weekTarget, itemAt(days, 6) >= today)}</td>
              </tr>
            )}
          </tfoot>
        </table>
      </Box>
      <p className={styles.weekKeys} role={isWrong ? 'alert' : 'note'} data-wrong={isWrong || undefined}>
        {isWrong ? (
          'Type hours such as 1:30, 1.5 or 90m, at most 24.'
        ) : isOwn ? (
          <>
            <span>
              type <kbd>1:30</kbd> <kbd>1.5</kbd> <kbd>90m</kbd>
            </span>
            <span>
              <kbd>↵</kbd> next row
            </span>
            <span>
              <kbd>Del</kbd> clear
            </span>
            <button type="button" onClick={comment}>
              <kbd>C</kbd> comment
            </button>
            <span>
              <kbd>L</kbd> log time
            </span>
            <span role="status">{pendingMinutes.size > 0 ? 'Saving…' : lastChange?.words}</span>
            {pendingMinutes.size === 0 && lastChange?.undo && (
              <button type="button" onClick={lastChange.undo}>
                Undo
              </button>
            )}
          </>
        ) : (
          'Only the person who logged the time changes it.'
        )}
      </p>
      {popup?.kind === 'logs' && (
        <Menu open anchorEl={popup.anchor} onClose={close} slotProps={{ list: { 'aria-label': 'Time logs' } }}>
          {popup.cell.logs.map((log) => (
            <MenuItem
              key={log.id}
              onClick={() => {
                close();
                show(log);
              }}
            >
              {describeLog(log, isOwn)}
            </MenuItem>
          ))}
        </Menu>
      )}
      {popup?.kind === 'comment' && (
        <CommentPopover
          log={itemAt(popup.cell.logs, 0)}
          anchor={popup.anchor}
          readOnly={!isEditable(popup.cell)}
          onClose={close}
          onSave={(text) => setComment(itemAt(popup.cell.logs, 0), text)}
        />
      )}
    </>
  );
}

function describeLog({ start, end, user, comments, ...log }: TimeLog, isOwn: boolean): string {
  const times = [start, end].map((time) => formatTimeOfDay(time.slice(11, 16))).join('–');
  return [isOwn ? undefined : user?.name, times, formatMinutes(minutesOf(log)), comments].filter(Boolean).join(' · ');
}

/** The tasks of the logs by name, then those that were added; a row stays where it is, also without hours. */
function useRows(logs: readonly TimeLog[], addedTasks: readonly TimeTarget[]): readonly TimeTarget[] {
  const [rows, setRows] = useState<readonly TimeTarget[]>([]);
  const loggedTasks = logs
    .map(({ task }) => ({ id: task?.id ?? 0, title: task?.name ?? 'Tasks that you cannot see' }))
    .toSorted((first, second) => first.title.localeCompare(second.title));
  const newTasks = new Map(
    [...loggedTasks, ...addedTasks]
      .filter(({ id }) => !rows.some((row) => row.id === id))
      .map((task) => [task.id, task]),
  );
  if (newTasks.size === 0) return rows;
  const allRows = [...rows, ...newTasks.values()];
  setRows(allRows);
  return allRows;
}

interface CommentPopoverProps {
  log: TimeLog;
  anchor: HTMLElement;
  readOnly: boolean;
  onSave: (text: string) => void;
  onClose: () => void;
}

/** The comment of the log of a cell; Enter saves it. */
function CommentPopover({ log, anchor, readOnly, onSave, onClose }: CommentPopoverProps) {
  const [text, setText] = useState(log.comments ?? '');
  const save = () => {
    onClose();
    if (text !== (log.comments ?? '')) onSave(text);
  };
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: -6, horizontal: 'right' }}
      slotProps={{
        paper: { role: 'dialog', 'aria-label': 'Comment', sx: { display: 'flex', gap: 2, width: 320, p: 2 } },
      }}
    >
      <OutlinedInput
        autoFocus
        fullWidth
        readOnly={readOnly}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          save();
        }}
        slotProps={{ input: { 'aria-label': 'Comment', maxLength: 5000 } }}
      />
      {!readOnly && (
        <Button variant="contained" onClick={save}>
          Save
        </Button>
      )}
    </Popover>
  );
}
