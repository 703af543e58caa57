import { useQueryClient } from '@tanstack/react-query';
import type { EventDropInfo, EventResizeDoneInfo } from '@fullcalendar/react';
import { useDataProvider } from 'react-admin';
import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { reportError } from '../../src/app/admin/ErrorToasts';
import { refreshAfterSaving } from '../../src/app/form/refreshAfterSaving';
import { useSavedToast } from '../../src/app/form/useSavedToast';
import { ApiError } from '../../src/app/session/apiError';
import { dayOf, timeOf } from './calendar';

/** Saves a log after it was dragged or resized. If the server refuses, moves it back and shows the reason. */
export function useMoveLog(definition: Definition): (moved: EventDropInfo | EventResizeDoneInfo) => Promise<void> {
  const dataProvider = useDataProvider();
  const queryClient = useQueryClient();
  const say = useSavedToast(definition, 'edit');
  return async ({ event, revert }) => {
    const { id, start, end } = event;
    try {
      const { data } = await dataProvider.update(definition.name, {
        id,
        data: { date: dayOf(start!), start: timeOf(start!), end: timeOf(end!) },
        previousData: { id },
      });
      say(data as ResourceRecord);
      await refreshAfterSaving(queryClient, definition.name);
    } catch (error) {
      revert();
      const [reason] = error instanceof ApiError ? Object.values(error.errors) : [];
      reportError(reason === undefined ? (error as Error) : new Error(reason));
    }
  };
}
