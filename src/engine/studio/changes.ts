import { at } from '../definitions/paths';
import type { Source } from '../definitions/source';
import type { Change } from './change';
import { fieldChanges, renamedFields } from './field-changes';
import { partChanges } from './part-changes';
import { withOthers } from './references';

export type { Change } from './change';

/**
 * The differences between two versions of a definition, as text: first its fields, then everything else. Without an
 * older version everything is new, and the fields are listed.
 */
export function changesBetween(before: Source | undefined, after: Source): Change[] {
  if (before) {
    // Consequences of a renamed field are not listed as changes.
    const followed = withOthers(before, renamedFields(before, after));
    return [...fieldChanges(followed, after), ...partChanges(followed, after)];
  }
  return [
    { kind: 'added', path: '', subject: after.labels.many, text: 'new module' },
    ...Object.keys(after.fields).map((name): Change => ({
      kind: 'added',
      path: at('/fields', name),
      subject: name,
      text: '',
    })),
  ];
}
