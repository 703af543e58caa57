import type { GridRowSelectionModel } from '@mui/x-data-grid';
import type { RaRecord } from 'react-admin';

/** The chosen records by id; those of other pages among them. */
export type Selected = ReadonlyMap<number, RaRecord>;

/** Nothing is chosen. */
export const noRecords: Selected = new Map();

/**
 * The chosen records after the grid's own choice changed. `include` lists what is chosen; `exclude` is how the grid says
 * "all but these", which means all of this page: rows that nobody has seen are never chosen by one click on a box.
 */
export function selectionOf(model: GridRowSelectionModel, page: readonly RaRecord[], before: Selected): Selected {
  const onPage = new Map(page.map((record) => [Number(record.id), record]));
  const next = new Map([...before].filter(([id]) => !onPage.has(id)));
  for (const [id, record] of onPage) {
    const listed = model.ids.has(id);
    if (model.type === 'exclude' ? !listed : listed) next.set(id, record);
  }
  return next;
}

/** The chosen records as the grid takes them. */
export function modelOf(selected: Selected): GridRowSelectionModel {
  return { type: 'include', ids: new Set(selected.keys()) };
}
