import { renameFields } from '../language/replace-names';
import { joinPointer } from '../definitions/problems';
import type { Source } from '../definitions/source';
import type { DefinitionChange } from './definition-change';
import { diffFields, findRenamedFields } from './diff-fields';
import { diffParts } from './diff-parts';

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
    const renamed = findRenamedFields(before, after);
    const references = renameFields(before, renamed);
    const formerNames = new Map([...renamed].map(([name, next]) => [next, name]));
    const fields = Object.entries(references.fields).map(([name, field]) => [formerNames.get(name) ?? name, field]);
    const comparable: Source = { ...references, fields: Object.fromEntries(fields) as Source['fields'] };
    return [...diffFields(comparable, after), ...diffParts(comparable, after)];
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
