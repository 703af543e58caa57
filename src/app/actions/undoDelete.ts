import type { QueryClient } from '@tanstack/react-query';
import type { DataProvider, RaRecord } from 'react-admin';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { recordTitle } from '../../engine/lists/row-actions';
import { reportError } from '../data/ErrorToasts';
import type { useChangeToast } from '../commands/useChangeToast';
import { refreshAfterSaving } from '../data/refreshAfterSaving';
import { formatNumber } from '../../engine/formats/numbers';
import { fetchApi } from '../session/api';
import type { ApiClient } from '../session/apiClient';

interface Tools {
  readonly ask: ApiClient;
  readonly sayChanged: ReturnType<typeof useChangeToast>;
  readonly queryClient: QueryClient;
}

/** Records that one call brings back. */
const maxPerCall = 1_000;

/**
 * Brings back what was deleted last: from the archive, with all that was archived together with it, or the records as
 * they were. Says what became of it.
 *
 * @example await undoDelete(definition, [record], { ask, sayChanged, queryClient });
 */
export async function undoDelete(
  definition: Definition,
  records: readonly ResourceRecord[],
  { ask, sayChanged, queryClient }: Tools,
): Promise<void> {
  const { name, archive, labels, toasts } = definition;
  const ids = records.map(({ id }) => id as number);
  try {
    if (archive) {
      for (const id of ids) await fetchApi(`/${name}/restore/${id}`, { method: 'PATCH', json: {} }, ask);
      sayChanged(toasts.restored);
    } else {
      for (let offset = 0; offset < ids.length; offset += maxPerCall) {
        const json = { ids: ids.slice(offset, offset + maxPerCall) };
        await fetchApi(`/${name}/restore`, { method: 'POST', json }, ask);
      }
      const words =
        ids.length === 1
          ? `${labels.one} is back`
          : `${formatNumber(ids.length)} ${labels.many.toLowerCase()} are back`;
      sayChanged(words);
    }
  } catch (error) {
    reportError(error as Error);
  }
  await refreshAfterSaving(queryClient, name);
}

interface ConfirmedAction {
  readonly kind: 'delete' | 'unarchive';
  readonly record: ResourceRecord;
  /** Deletes the record, if that takes more than the deletion. */
  readonly remove?: () => Promise<void>;
}

/**
 * Deletes a record, which can be taken back if the definition allows it, or restores it from the archive, and says so.
 * Throws ApiError.
 */
export async function deleteOrRestore(
  definition: Definition,
  { kind, record, remove }: ConfirmedAction,
  { dataProvider, ...tools }: Tools & { readonly dataProvider: DataProvider },
): Promise<void> {
  const { name, toasts } = definition;
  const id = record.id as number;
  if (kind === 'unarchive') {
    await fetchApi(`/${name}/restore/${id}`, { method: 'PATCH', json: {} }, tools.ask);
    return tools.sayChanged(toasts.restored);
  }
  if (remove) await remove();
  else await dataProvider.delete(name, { id, previousData: record as RaRecord });
  if (definition.delete.final) return tools.sayChanged(toasts.deleted);
  const undo = () => void undoDelete(definition, [record], tools).catch(reportError);
  tools.sayChanged(toasts.deleted, undo, `${recordTitle(definition, record)} deleted`);
}
