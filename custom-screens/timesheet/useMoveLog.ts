import { useQueryClient } from '@tanstack/react-query';
import type { EventDropInfo, EventResizeDoneInfo } from '@fullcalendar/react';
import { useDataProvider } from 'react-admin';
import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { reportError } from '../../src/app/data/ErrorToasts';
import { refreshAfterSaving } from '../../src/app/data/refreshAfterSaving';
import { useSavedToast } from '../../src/app/form/useSavedToast';
import { withFieldErrors } from '../../src/app/session/apiError';
import { dayOf, timeOf } from './calendar';
import { requireValue } from '../../src/engine/values/lookups';

/**
 * Saves a log after it was dragged or resized, and offers to take that back, unless somebody changed the log since. If the
 * server refuses, moves it back and shows the reason.
 */
export function useMoveLog(definition: Definition): (moved: EventDropInfo | EventResizeDoneInfo) => Promise<void> {
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const notifySaved = useSavedToast(definition, 'edit');
  const store = async (id: string, data: object) => {
    const answer = await dataProvider.update(definition.name, { id, data, previousData: { id } });
    return answer.data as ResourceRecord;
  };
  const refresh = () => refreshAfterSaving(queryClient, definition.name);
  const restoreTimes = async (id: string, times: Times, updated_at: unknown) => {
    try {
      notifySaved(await store(id, { ...times, updated_at }));
    } catch (error) {
      reportError(withFieldErrors(error as Error));
    }
    await refresh();
  };
  return async ({ event, oldEvent, revert }) => {
    const { id } = event;
    try {
      const storedLog = await store(id, timesOf(event));
      const timesBefore = timesOf(oldEvent);
      notifySaved(storedLog, () => void restoreTimes(id, timesBefore, storedLog.updated_at));
      await refresh();
    } catch (error) {
      revert();
      reportError(withFieldErrors(error as Error));
    }
  };
}

type Times = ReturnType<typeof timesOf>;

function timesOf({ start, end }: EventDropInfo['event']) {
  const startTime = requireValue(start, 'the start of an entry');
  return { date: dayOf(startTime), start: timeOf(startTime), end: timeOf(requireValue(end, 'the end of an entry')) };
}
