import { at } from '../definitions/paths';
import type { Source } from '../definitions/source';
import type { Change } from './change';
import { fieldChanges } from './field-changes';
import { partChanges } from './part-changes';

export type { Change } from './change';

/**
 * What differs between two versions of a definition, in words: first its fields, then its parts. Without an older one,
 * everything is new, and its fields are named.
 */
export function changesBetween(before: Source | undefined, after: Source): Change[] {
  if (before) return [...fieldChanges(before, after), ...partChanges(before, after)];
  return [
    { kind: 'added', path: '', subject: after.labels.many, text: 'new module' },
    ...Object.keys(after.fields).map((name): Change => ({ kind: 'added', path: at('/fields', name), subject: name, text: '' })), // prettier-ignore
  ];
}
