import type { Kanban, ResourceRecord } from '../../../engine/definitions/definition';
import { getOrThrow } from '../../../engine/values/lookups';
import type { LoadedColumn } from './useColumnRecords';
import type { BoardChoice } from './useBoardColumns';
import type { Move } from './useMoves';

/** A column to render. */
export interface ShownColumn extends LoadedColumn {
  readonly choice: BoardChoice;
}

/** The columns with pending moves applied. */
export function withMoves(
  columns: readonly BoardChoice[],
  loadedColumns: ReadonlyMap<BoardChoice['id'], LoadedColumn>,
  moves: readonly Move[],
  { column }: Kanban,
): ShownColumn[] {
  return columns.map((choice) => {
    const { records, total, error } = getOrThrow(loadedColumns, choice.id);
    const departures = moves.filter(
      ({ record, to: destination }) => destination.id !== choice.id && includesRecord(records, record),
    );
    // A record of the column that is put elsewhere in it, or one that the column does not have yet.
    const placements = moves.filter(
      ({ record, from: source, to: destination }) =>
        destination.id === choice.id && (source.id === choice.id || !includesRecord(records, record)),
    );
    if (!records || (departures.length === 0 && placements.length === 0)) return { choice, records, total, error };
    let shownRecords = records.filter((record) => !departures.some((move) => move.record.id === record.id));
    // Each was dropped among the records as those before it left them.
    for (const { record, index } of placements) {
      shownRecords = shownRecords.filter(({ id }) => id !== record.id);
      shownRecords.splice(index, 0, { ...record, [column]: choice.id });
    }
    const arrivals = placements.filter(({ record }) => !includesRecord(records, record));
    return { choice, records: shownRecords, total: (total ?? 0) - departures.length + arrivals.length, error };
  });
}

function includesRecord(records: readonly ResourceRecord[] | undefined, { id }: ResourceRecord): boolean {
  return records?.some((record) => record.id === id) ?? false;
}
