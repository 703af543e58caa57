import { computedKind } from '../conditions/computed-kind';
import { fieldTypes } from '../field-types';
import { isShareLink } from '../field-types/share-link';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import type { Definition, Field, FieldOf, FieldTypeName } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';

/** Paths of the program itself. */
const reservedPaths: ReadonlySet<string> = new Set(['api', 'assets', 'auth', 'form']);
/** Whether a field of this type can be shown to visitors. */
export const isSharable = (type: FieldTypeName): boolean => fieldTypes[type].isSharable !== false;

/**
 * The share-link field of a resource; undefined if it has none.
 *
 * @example shareLinkOf(testCases)?.name; // 'sharable_link'
 */
export function shareLinkOf({ fields }: Definition): FieldOf<'shareLink'> | undefined {
  return Object.values(fields).find(isShareLink);
}

/** Checks a share link: one per record, a path of its own, and the fields shown to visitors. */
export function checkShares(subject: CheckSubject, path: string, field: Field): void {
  const { definition, registry, source } = subject;
  if (!isShareLink(field)) {
    const { path: linkPath, sharedFields } = source.fields[field.name] ?? {};
    if (linkPath !== undefined) reportProblem(subject, joinPointer(path, 'path'), 'Only a shareLink has a path.');
    if (sharedFields !== undefined)
      reportProblem(subject, joinPointer(path, 'sharedFields'), 'Only a shareLink can share fields.');
    return;
  }
  const first = shareLinkOf(definition) ?? field;
  if (first !== field)
    return reportProblem(subject, path, `"${first.name}" is already a share link; a record can have only one.`);
  if (reservedPaths.has(field.path))
    reportProblem(
      subject,
      joinPointer(path, 'path'),
      `The path "${field.path}" is reserved by the program. Choose another path.`,
    );
  const owner = [...registry.definitions.values()].find((candidate) => shareLinkOf(candidate)?.path === field.path);
  if (owner && owner.name !== definition.name)
    reportProblem(
      subject,
      joinPointer(path, 'path'),
      `Links of ${owner.name} already start with "${field.path}". Choose another path.`,
    );
  field.sharedFields.forEach((name, index) => {
    const sharedField = resolveReadableField(subject, joinPointer(path, 'sharedFields', index), name);
    if (!sharedField) return;
    if (!isSharable(sharedField.type))
      reportProblem(
        subject,
        joinPointer(path, 'sharedFields', index),
        `A visitor cannot read "${name}": it is of type ${sharedField.type}.`,
      );
    else if (sharedField.virtual || (sharedField.computed !== undefined && computedKind(sharedField) !== 'template'))
      reportProblem(
        subject,
        joinPointer(path, 'sharedFields', index),
        `A visitor cannot read "${name}": its value depends on who is signed in.`,
      );
  });
}
