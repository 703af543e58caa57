import { isPermissions } from '../field-types/permissions';
import { isRelation } from '../field-types/relation';
import { reportProblem, resolveReadableField, resolveResource, type CheckSubject } from './check-context';
import type { Field } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';

/** Checks what limits a field of permissions: a relation to records with a field of permissions. */
export function checkPermissions(subject: CheckSubject, path: string, field: Field): void {
  if (!isPermissions(field) || field.limitedBy === undefined) return;
  const limitPath = joinPointer(path, 'limitedBy');
  const limitField = resolveReadableField(subject, limitPath, field.limitedBy);
  if (!limitField) return;
  if (!isRelation(limitField))
    return reportProblem(
      subject,
      limitPath,
      `"${limitField.name}" is of type ${limitField.type}: name a relation to the record whose permissions are the limit, such as a role.`,
    );
  const target = resolveResource(subject, limitPath, limitField.to);
  if (target && !Object.values(target.fields).some(isPermissions))
    reportProblem(subject, limitPath, `${target.name} has no field of type permissions, so it cannot be a limit.`);
}
