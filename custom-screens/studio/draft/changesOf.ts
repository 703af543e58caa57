import type { Source } from '../../../src/engine/definitions/source';
import type { Change } from '../../../src/engine/studio/changes';

/** What differs between two drafts. */
export function changesOf(before: Source, after: Source): readonly Change[] {
  return JSON.stringify(before) === JSON.stringify(after)
    ? []
    : [{ kind: 'changed', path: '', subject: after.name, text: '' }];
}
