import type { QueryClient } from '@tanstack/react-query';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { reportError } from '../admin/ErrorToasts';
import type { useChangeToast } from '../commands/useChangeToast';
import { refreshAfterSaving } from '../form/refreshAfterSaving';
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
      for (let from = 0; from < ids.length; from += maxPerCall) {
        const json = { ids: ids.slice(from, from + maxPerCall) };
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
