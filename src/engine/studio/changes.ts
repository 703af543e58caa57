import { at } from '../definitions/paths';
import type { Source } from '../definitions/source';
import type { Change } from './change';
import { fieldChanges, renamedFields } from './field-changes';
import { partChanges } from './part-changes';
import { withOthers } from './references';

export type { Change } from './change';

/**
 * What differs between two versions of a definition, in words: first its fields, then its parts. Without an older one,
 * everything is new, and its fields are named.
 */
export function changesBetween(before: Source | undefined, after: Source): Change[] {
  if (before) {
    // What only follows a renamed field is no change of its own.
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
