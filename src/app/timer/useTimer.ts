import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { reportError } from '../data/ErrorToasts';
import { useOpenDialog } from '../dialogs/openDialog';
import { fetchApi } from '../session/api';
import { useApi } from '../session/apiClient';
import { beginOfDay, timerParts, type TimerPart } from './timerParts';
import { fieldOf } from '../../engine/definitions/accessors';
import { requireValue } from '../../engine/values/lookups';

/** The timer of the person who is signed in. */
export interface Timer {
  readonly resource: string;
  /** The record that the time is spent on; null if it can no longer be seen. */
  readonly record: { readonly id: number; readonly title: string } | null;
  readonly started_at: string;
}

/** Begins with the name of the server's events about it. */
const key = ['timer'];

/** The running timer, and what ends it. Every window follows the server's events, and asks again when it is returned to. */
export function useTimer() {
  const { registry } = useDefinitions();
  const queryClient = useQueryClient();
  const open = useOpenDialog();
  const ask = useApi();
  const { data: timer } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await fetchApi<{ data: Timer | null }>('/timer', { signal }, ask)).data,
    refetchOnWindowFocus: true,
    staleTime: 60_000,
    meta: { quiet: true },
  });
  const call = async (method: string, path: string, json?: object) => {
    try {
      await fetchApi(path, { method, json }, ask);
    } catch (error) {
      reportError(error as Error);
    }
    await queryClient.invalidateQueries({ queryKey: key });
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
      preset: presetOf(definition, timer, part),
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
    timer: timer ?? null,
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

/** The values of the form, with the name of what the time was spent on. */
function presetOf({ name, fields, timer }: Definition, { record }: Timer, part: TimerPart): ResourceRecord {
  const { relation, start, end } = requireValue(timer, `the timer of ${name}`);
  const { embed } = fieldOf({ fields }, relation);
  const dateField = requireValue(fieldOf({ fields }, start).dateField, `dateField of ${start}`);
  return {
    ...(record && { [relation]: record.id, ...(embed && { [embed]: { ...record, name: record.title } }) }),
    [dateField]: part.date,
    [start]: part.start,
    [end]: part.end,
  };
}
