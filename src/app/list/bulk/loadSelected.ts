import type { DataProvider, GetListParams, RaRecord } from 'react-admin';
import type { SelectedRecords } from '../grid/selection';

/** The records with these ids. Those that are not at hand are loaded: what can be done depends on their values. */
export async function loadSelected(
  dataProvider: DataProvider,
  resource: string,
  ids: readonly RaRecord['id'][],
  recordsAtHand: readonly RaRecord[],
): Promise<SelectedRecords> {
  const recordsById = new Map(recordsAtHand.map((record) => [Number(record.id), record]));
  const missingIds = ids.filter((id) => !recordsById.has(Number(id)));
  const loadedRecords =
    missingIds.length > 0 ? (await dataProvider.getMany<RaRecord>(resource, { ids: missingIds })).data : [];
  for (const record of loadedRecords) recordsById.set(Number(record.id), record);
  const selectedEntries = ids.map((id) => [Number(id), recordsById.get(Number(id))] as const);
  return new Map(selectedEntries.filter((entry): entry is [number, RaRecord] => entry[1] !== undefined));
}

/** The first `limit` records of a list. */
export async function loadAll(
  dataProvider: DataProvider,
  resource: string,
  limit: number,
  query: Pick<GetListParams, 'sort' | 'filter'>,
): Promise<SelectedRecords> {
  const { data } = await dataProvider.getList<RaRecord>(resource, {
    pagination: { page: 1, perPage: limit },
    ...query,
  });
  return new Map(data.map((record) => [Number(record.id), record]));
}
