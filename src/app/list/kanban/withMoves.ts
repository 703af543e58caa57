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
    const arrivals = moves.filter(
      ({ record, to: destination }) => destination.id === choice.id && !includesRecord(records, record),
    );
    const placements = moves.filter(
      ({ record, from: source, to: destination }) =>
        source.id === choice.id && destination.id === choice.id && includesRecord(records, record),
    );
    const changes = [...departures, ...placements];
    if (!records || (changes.length === 0 && arrivals.length === 0)) return { choice, records, total, error };
    const left = records.filter((record) => !changes.some((move) => move.record.id === record.id));
    for (const { record, index } of [...arrivals, ...placements])
      left.splice(index, 0, { ...record, [column]: choice.id });
    return { choice, records: left, total: (total ?? 0) - departures.length + arrivals.length, error };
  });
}

function includesRecord(records: readonly ResourceRecord[] | undefined, { id }: ResourceRecord): boolean {
  return records?.some((record) => record.id === id) ?? false;
}
