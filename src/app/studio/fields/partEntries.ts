import type { Draft } from '../draft';
import { draftErrors, partAt, partOrder, moduleParts } from '../draftPlaces';
import type { Entry } from './entries';
import { requireValue } from '../../../engine/values/lookups';

/** The entries of the module's parts besides its fields. */
export function partEntries(draft: Draft): Entry[] {
  const isOf = (path: string, pointer: string) => partAt(path)?.pointer === pointer;
  const errors = draftErrors(draft);
  return partOrder.map((pointer) => {
    const { label, icon } = requireValue(
      moduleParts.find((part) => part.pointer === pointer),
      `the part ${pointer}`,
    );
    const isChanged = draft.changes.some(({ path }) => isOf(path, pointer));
    return {
      ...{ pointer, icon, name: label },
      note: isChanged ? 'changed' : '',
      state: isChanged ? 'changed' : undefined,
      hasError: errors.some(({ path }) => isOf(path, pointer)),
    };
  });
}
