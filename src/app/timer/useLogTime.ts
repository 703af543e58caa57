import { useQueryClient } from '@tanstack/react-query';
import { useDataProvider, useNotify, type DataProvider, type RaRecord } from 'react-admin';
import { isGranted } from '../../engine/access/access-decision';
import type { Actor } from '../../engine/access/actor';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { describeDuration } from '../../engine/formats/durations';
import { localTimeZone } from '../../engine/formats/time-zone';
import { continuedList, continuedTime, followingTimes } from '../../engine/forms/continued-times';
import { useChangeToast } from '../commands/useChangeToast';
import { useDefinitions } from '../data/DefinitionsContext';
import { reportError } from '../data/ErrorToasts';
import { refreshAfterSaving } from '../data/refreshAfterSaving';
import { withFieldErrors } from '../session/apiError';
import { timeFieldsOf, type TimeTarget } from './timeFields';

/** Time that was spent on a record. */
export interface SpentTime {
  readonly target: TimeTarget;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly minutes: number;
  readonly comment?: string;
}

/**
 * The times of so many minutes after the caller's last record of a day; `undefined` for none, and for more than a day has. Where
 * the caller may not list the records, the day counts as empty.
 */
export async function loadFollowingTimes(
  provider: DataProvider,
  definition: Definition,
  actor: Actor,
  { date, minutes }: Pick<SpentTime, 'date' | 'minutes'>,
) {
  const { start, end } = timeFieldsOf(definition);
  const field = { ...start, suggestedFrom: end.name };
  const last = isGranted(actor, definition.name, 'list')
    ? await provider.getList<RaRecord>(definition.name, {
        ...continuedList(definition, field, date, actor),
        pagination: { page: 1, perPage: 1 },
        meta: { fields: [end.name] },
      })
    : undefined;
  return followingTimes(continuedTime(definition, field, last?.data[0]), minutes, { date, timeZone: localTimeZone() });
}

/**
 * Returns a function that stores time spent on a record after the last one of its day, says so, and offers to take it back. It
 * returns the stored record; undefined if the server refused, which it has said then. `say` takes the place of a toast.
 *
 * @example await useLogTime(definition)({ target: { id: 7, title: 'Retest' }, date: '2026-11-27', minutes: 90 });
 */
export function useLogTime(
  definition: Definition,
  say?: ReturnType<typeof useChangeToast>,
): (spent: SpentTime) => Promise<ResourceRecord | undefined> {
  const { actor } = useDefinitions();
  const provider = useDataProvider();
  const queryClient = useQueryClient();
  const sayInToast = useChangeToast();
  const sayChanged = say ?? sayInToast;
  const notify = useNotify();
  const { name } = definition;
  const refresh = () => refreshAfterSaving(queryClient, name);
  return async (spent) => {
    const { relation, start, end, date, remark } = timeFieldsOf(definition);
    try {
      const times = await loadFollowingTimes(provider, definition, actor, spent);
      const data = {
        [relation.name]: spent.target.id,
        [date]: spent.date,
        [start.name]: times?.start,
        [end.name]: times?.end,
        ...(remark && spent.comment && { [remark.name]: spent.comment }),
      };
      const { data: storedRecord } = await provider.create<RaRecord>(name, { data });
      const takeBack = async () => {
        try {
          await provider.delete(name, { id: storedRecord.id, previousData: storedRecord });
        } catch (error) {
          reportError(error as Error);
        }
        await refresh();
      };
      const words = `${describeDuration(spent.minutes)} logged on ${spent.target.title}`;
      sayChanged(words, isGranted(actor, name, 'delete') ? () => void takeBack() : undefined);
      if (typeof storedRecord.warning === 'string')
        notify(storedRecord.warning, { type: 'warning', autoHideDuration: 8000 });
      void refresh();
      return storedRecord;
    } catch (error) {
      reportError(withFieldErrors(error as Error));
      return undefined;
    }
  };
}
