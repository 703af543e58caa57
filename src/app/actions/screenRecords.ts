import { useLocation, type NavigateOptions } from 'react-router-dom';
import type { ResourceRecord } from '../../engine/definitions/definition';
import { isJsonObject } from '../../engine/formats/json';

/** The records for which a screen was opened: some by their ids, or all that the list with a filter has. */
export interface ScreenRecords {
  readonly ids?: readonly number[];
  readonly filter?: ResourceRecord;
}

/**
 * Hands records over to the screen that is opened.
 *
 * @example navigate('/test-runs/create', recordsState({ ids: [3, 5] }));
 */
export const recordsState = ({
  ids,
  filter,
}: {
  ids?: readonly unknown[];
  filter?: ResourceRecord;
}): NavigateOptions => ({
  state: { records: ids ? { ids: ids.map(Number) } : { filter } },
});

/**
 * The records for which this screen was opened; undefined where it was opened without any.
 *
 * @example const records = useScreenRecords(); // { ids: [3, 5] }
 */
export function useScreenRecords(): ScreenRecords | undefined {
  const { state } = useLocation() as { state: unknown };
  const records = isJsonObject(state) ? state.records : undefined;
  return isJsonObject(records) ? (records as ScreenRecords) : undefined;
}
