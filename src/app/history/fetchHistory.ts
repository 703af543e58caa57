import type { HistoryEntry } from '../../engine/history/field-changes';
import { requestApi } from '../session/api';

export interface HistoryPage {
  readonly lines: readonly HistoryEntry[];
  readonly total: number;
}

/** `GET r/{id}/history`: a page of a record's changes, newest first. Throws ApiError. */
export async function fetchHistory(
  resource: string,
  id: string,
  start: number,
  count: number,
  signal?: AbortSignal,
): Promise<HistoryPage> {
  const range = encodeURIComponent(JSON.stringify([start, start + count - 1]));
  const path = `/${resource}/${encodeURIComponent(id)}/history?names=1&range=${range}`;
  const response = await requestApi(path, { signal });
  const { data } = (await response.json()) as { data: HistoryEntry[] };
  const total = Number(response.headers.get('Content-Range')?.split('/').pop());
  return { lines: data, total: Number.isInteger(total) ? total : data.length };
}
