import type { Draft } from '../draft';
import { draftErrors, partAt, partOrder, moduleParts } from '../places';
import type { Entry } from './entries';

/** The entries of the module's parts besides its fields. */
export function partEntries(draft: Draft): Entry[] {
  const isOf = (path: string, place: string) => partAt(path)?.place === place;
  const errors = draftErrors(draft);
  return partOrder.map((place) => {
    const { label, icon } = moduleParts.find((part) => part.place === place)!;
    const changed = draft.changes.some(({ path }) => isOf(path, place));
    return {
      ...{ place, icon, name: label },
      note: changed ? 'changed' : '',
      state: changed ? 'changed' : undefined,
      wrong: errors.some(({ path }) => isOf(path, place)),
    };
  });
}
