import type { GridRowSelectionModel } from '@mui/x-data-grid';
import type { RaRecord } from 'react-admin';

/** The selected records by id, including those of other pages. */
export type SelectedRecords = ReadonlyMap<number, RaRecord>;

/** No selection. */
export const noneSelected: SelectedRecords = new Map();

/**
 * The selected records after the grid's selection changed. `include` lists the selected ids; `exclude` means "all but
 * these" and is limited to the current page: one click never selects rows that the user has not seen.
 */
export function applySelectionModel(
  model: GridRowSelectionModel,
  page: readonly RaRecord[],
  previousSelection: SelectedRecords,
): SelectedRecords {
  const onPage = new Map(page.map((record) => [Number(record.id), record]));
  const next = new Map([...previousSelection].filter(([id]) => !onPage.has(id)));
  for (const [id, record] of onPage) {
    const isListed = model.ids.has(id);
    if (model.type === 'exclude' ? !isListed : isListed) next.set(id, record);
  }
  return next;
}

/** The selection as the grid's model. */
export function toSelectionModel(selected: SelectedRecords): GridRowSelectionModel {
  return { type: 'include', ids: new Set(selected.keys()) };
}
