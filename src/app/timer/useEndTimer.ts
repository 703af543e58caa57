import { useQueryClient } from '@tanstack/react-query';
import { useDefinitions } from '../data/DefinitionsContext';
import { reportError } from '../data/ErrorToasts';
import { joinInstant, splitInstant } from '../data/localTime';
import { useOpenDialog } from '../dialogs/openDialog';
import { fetchApi } from '../session/api';
import { useApi } from '../session/apiClient';
import { timePreset } from './timeFields';
import { timerKey, type Timer } from './useTimer';

/** The ways to end the running timer. */
export function useEndTimer() {
  const { registry } = useDefinitions();
  const queryClient = useQueryClient();
  const open = useOpenDialog();
  const ask = useApi();
  const call = async (method: string, path: string, json?: object) => {
    try {
      await fetchApi(path, { method, json }, ask);
    } catch (error) {
      reportError(error as Error);
    }
    await queryClient.invalidateQueries({ queryKey: timerKey });
  };
  const end = (startedAt: string) => call('DELETE', `/timer?${new URLSearchParams({ started_at: startedAt })}`);
  /** Records one day after the other; the timer runs until the last one is saved. */
  const record = (timer: Timer, [part, next, ...rest]: readonly TimerPart[]) => {
    const definition = registry.get(timer.resource);
    if (!part || !definition?.timer) return;
    open({
      kind: 'form',
      definition,
      mode: 'create',
      preset: timePreset(definition, timer.record, part),
      onSaved: () => {
        if (!next) return void end(timer.started_at);
        const startTime = beginOfDay(next.date);
        void call('PATCH', '/timer', { started_at: timer.started_at, from: startTime }).then(() =>
          record({ ...timer, started_at: startTime }, [next, ...rest]),
        );
      },
    });
  };
  return {
    stop: (timer: Timer, parts = timerParts(timer.started_at, new Date().toISOString())) => record(timer, parts),
    discard: (timer: Timer, length: string) =>
      open({
        kind: 'question',
        title: 'Discard timer',
        question: `${length} of ${timer.record?.title ?? 'this timer'} will not be recorded. Discard them?`,
        run: () => end(timer.started_at),
      }),
  };
}

/** A part of a timer's time on one day, as it is recorded. */
interface TimerPart {
  readonly date: string;
  /** `HH:mm`; the end is later than the start, midnight being the end of the day. */
  readonly start: string;
  readonly end: string;
}

/**
 * The days of a timer's time in the browser's zone, the first one first: a record has one day, so that of each ends at
 * midnight, where the next begins. The last ends now, at least a minute after its start.
 *
 * @example timerParts('2026-11-16T08:00:00Z', '2026-11-16T09:30:00Z'); // [{ date: '2026-11-16', start: '08:00', end: '09:30' }]
 */
export function timerParts(startedAt: string, now: string): TimerPart[] {
  const begin = splitInstant(startedAt);
  // The clock of this device may be behind that of the server.
  const end = splitInstant(now < startedAt ? startedAt : now);
  if (!begin || !end) return [];
  const parts: TimerPart[] = [];
  let [date, start] = [begin.date, begin.time];
  while (date < end.date) {
    parts.push({ date, start, end: '00:00' });
    [date, start] = [dayAfter(date), '00:00'];
  }
  // Stopped at midnight sharp: nothing of the new day has passed.
  if (parts.length === 0 || end.time > '00:00') parts.push({ date, ...aMinuteAtLeast(start, end.time) });
  return parts;
}

/** The instant at which a day begins, in the browser's zone. */
function beginOfDay(date: string): string {
  return joinInstant(date, '00:00');
}

function aMinuteAtLeast(start: string, end: string): { start: string; end: string } {
  if (end > start) return { start, end };
  const [hour, minute] = [Number(start.slice(0, 2)), Number(start.slice(3)) + 1];
  const two = (number: number) => String(number).padStart(2, '0');
  return { start, end: minute === 60 ? `${two((hour + 1) % 24)}:00` : `${two(hour)}:${two(minute)}` };
}

function dayAfter(date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10);
}
