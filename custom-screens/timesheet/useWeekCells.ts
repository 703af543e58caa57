import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useDataProvider, useNotify, type RaRecord } from 'react-admin';
import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { describeDuration } from '../../src/engine/formats/durations';
import { localTimeZone } from '../../src/engine/formats/time-zone';
import { continuedList, followingTimes } from '../../src/engine/forms/continued-times';
import { undoDelete } from '../../src/app/actions/undoDelete';
import { offerUndo } from '../../src/app/commands/undo';
import { useChangeToast } from '../../src/app/commands/useChangeToast';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { reportError } from '../../src/app/data/ErrorToasts';
import { refreshAfterSaving } from '../../src/app/data/refreshAfterSaving';
import { withFieldErrors } from '../../src/app/session/apiError';
import { useApi } from '../../src/app/session/apiClient';
import { timeFieldsOf, type TimeTarget } from '../../src/app/timer/timeFields';
import { useLogTime } from '../../src/app/timer/useLogTime';
import type { TimeLog } from './timesheetApi';
import { minutesOf } from './weeks';

/** The logs of a task on a day. */
export interface WeekCell {
  readonly task: TimeTarget;
  readonly date: string;
  readonly logs: readonly TimeLog[];
}

/** The change that was stored last. */
interface LastChange {
  readonly words: string;
  readonly undo: (() => void) | undefined;
}

/** Identifies a cell. */
export const cellKey = (task: number, date: string) => `${task} ${date}`;

/** Stores what is typed into cells of a week, one after the other, so that each begins where the one before has ended. */
export function useWeekCells(definition: Definition) {
  const { name } = definition;
  const provider = useDataProvider();
  const queryClient = useQueryClient();
  const ask = useApi();
  const notify = useNotify();
  const { actor } = useDefinitions();
  const sayChanged = useChangeToast();
  const [lastChange, setLastChange] = useState<LastChange>();
  // Toasts stand in a row: people who type cells would read of each a minute later.
  const say = (words: string, undo?: () => void) =>
    setLastChange({ words, undo: undo && offerUndo(words, () => (setLastChange(undefined), undo())) });
  const log = useLogTime(definition, say);
  const queue = useRef(Promise.resolve());
  const [pendingMinutes, setPendingMinutes] = useState<ReadonlyMap<string, number>>(new Map());
  const refresh = () => refreshAfterSaving(queryClient, name);

  const update = async (id: number, data: ResourceRecord) =>
    (await provider.update<RaRecord>(name, { id, data, previousData: { id } as RaRecord })).data;
  const change = async ({ id }: TimeLog, data: ResourceRecord, dataBefore: ResourceRecord, words: string) => {
    const storedRecord = await update(id, data);
    const takeBack = async () => {
      try {
        await update(id, { ...dataBefore, updated_at: storedRecord.updated_at });
      } catch (error) {
        reportError(withFieldErrors(error as Error));
      }
      await refresh();
    };
    say(words, () => void takeBack());
    if (typeof storedRecord.warning === 'string')
      notify(storedRecord.warning, { type: 'warning', autoHideDuration: 8000 });
  };
  const remove = async ({ task }: WeekCell, record: TimeLog) => {
    await provider.delete<RaRecord>(name, { id: record.id, previousData: { id: record.id } as RaRecord });
    const undo = () => void undoDelete(definition, [{ id: record.id }], { ask, sayChanged, queryClient });
    say(`${describeDuration(minutesOf(record))} of ${task.title} cleared`, undo);
  };
  const store = async (cell: WeekCell, minutes: number) => {
    const [record] = cell.logs;
    if (!record) return void (await log({ target: cell.task, date: cell.date, minutes }));
    if (minutes === 0) return remove(cell, record);
    const times = timesFor(record, minutes, await loadDayTimes(cell.date));
    const timesBefore = { start: clock(record.start), end: clock(record.end) };
    await change(record, { ...times }, timesBefore, `${describeDuration(minutes)} logged on ${cell.task.title}`);
  };
  /** All times of a day as they are stored now: the screen may show those of one project, and those before the last change. */
  const loadDayTimes = async (date: string) => {
    const { start, end } = timeFieldsOf(definition);
    const { data } = await provider.getList<RaRecord & DayTimes>(name, {
      ...continuedList(definition, { ...start, suggestedFrom: end.name }, date, actor),
      pagination: { page: 1, perPage: mostDayTimes },
      meta: { fields: [start.name, end.name] },
    });
    return data;
  };
  /** In their order: what one leaves is where the next begins. */
  const enqueue = (job: () => Promise<unknown>) => {
    queue.current = queue.current
      .then(job)
      .catch((error: unknown) => reportError(withFieldErrors(error as Error)))
      .then(refresh);
    return queue.current;
  };
  return {
    /** The minutes that are being stored, by cell. */
    pendingMinutes,
    lastChange,
    /** Sets the length of the only log of a cell, or of a new one; 0 deletes it. */
    set: (cell: WeekCell, minutes: number) => {
      const key = cellKey(cell.task.id, cell.date);
      setPendingMinutes((current) => new Map([...current, [key, minutes]]));
      void enqueue(() => store(cell, minutes)).then(() =>
        setPendingMinutes((current) => new Map([...current].filter(([pendingKey]) => pendingKey !== key))),
      );
    },
    setComment: (record: TimeLog, comments: string) =>
      void enqueue(() => change(record, { comments }, { comments: record.comments }, 'Comment saved')),
  };
}

/** When a log of a day was. */
type DayTimes = Pick<TimeLog, 'id' | 'start' | 'end'>;

/** More logs than a day has. */
const mostDayTimes = 200;

const clock = (time: string) => time.slice(-5);

/** The times of a log with another length: from its start, unless another log of that day is in the way, then after the last one. */
function timesFor(record: TimeLog, minutes: number, dayTimes: readonly DayTimes[]) {
  const start = clock(record.start);
  const day = { date: record.date, timeZone: localTimeZone() };
  const times = followingTimes(start, minutes, day);
  const otherLogs = dayTimes.filter(({ id }) => id !== record.id);
  const endOf = (time: string) => (time === '00:00' ? '24:00' : time);
  const isTaken = otherLogs.some(
    (log) => times && clock(log.start) < endOf(times.end) && endOf(clock(log.end)) > times.start,
  );
  if (!isTaken) return times;
  const lastEnd = otherLogs
    .map((log) => endOf(clock(log.end)))
    .toSorted()
    .at(-1);
  return followingTimes(lastEnd === '24:00' ? undefined : lastEnd, minutes, day);
}
