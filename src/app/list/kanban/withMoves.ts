import type { Kanban, ResourceRecord } from '../../../engine/definitions/definition';
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
  loaded: ReadonlyMap<BoardChoice['id'], LoadedColumn>,
  moves: readonly Move[],
  { column }: Kanban,
): ShownColumn[] {
  return columns.map((choice) => {
    const { records, total, error } = loaded.get(choice.id)!;
    const away = moves.filter(({ record, to }) => to.id !== choice.id && includesRecord(records, record));
    const here = moves.filter(({ record, to }) => to.id === choice.id && !includesRecord(records, record));
    if (!records || (away.length === 0 && here.length === 0)) return { choice, records, total, error };
    const left = records.filter((record) => !away.some((move) => move.record.id === record.id));
    for (const { record, index } of here) left.splice(index, 0, { ...record, [column]: choice.id });
    return { choice, records: left, total: (total ?? 0) - away.length + here.length, error };
  });
}

function includesRecord(records: readonly ResourceRecord[] | undefined, { id }: ResourceRecord): boolean {
  return records?.some((record) => record.id === id) ?? false;
}
