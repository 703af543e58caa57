import { joinPointer } from '../definitions/problems';
import type { Source } from '../definitions/source';
import type { DefinitionChange } from './definition-change';
import { diffFields, findRenamedFields } from './diff-fields';
import { diffParts } from './diff-parts';
import { renameReferences } from './map-references';

export type { DefinitionChange } from './definition-change';

/**
 * The differences between two versions of a definition, as text: first its fields, then everything else. Without an
 * older version everything is new, and the fields are listed.
 *
 * @example diffDefinitions(published, draft).length; // 0: nothing to publish
 */
export function diffDefinitions(before: Source | undefined, after: Source): DefinitionChange[] {
  if (before) {
    // Consequences of a renamed field are not listed as changes.
    const followed = renameReferences(before, findRenamedFields(before, after));
    return [...diffFields(followed, after), ...diffParts(followed, after)];
  }
  return [
    { kind: 'added', path: '', subject: after.labels.many, text: 'new module' },
    ...Object.keys(after.fields).map((name): DefinitionChange => ({
      kind: 'added',
      path: joinPointer('/fields', name),
      subject: name,
      text: '',
    })),
  ];
}
