import { isPermissions } from '../field-types/permissions';
import { isRelation } from '../field-types/relation';
import { reportProblem, resolveReadableField, resolveResource, type CheckSubject } from './check-context';
import type { Field } from './definition';
import { joinPointer } from './problems';

/** Checks what limits a field of permissions: a relation to records with a field of permissions. */
export function checkPermissions(subject: CheckSubject, path: string, field: Field): void {
  if (!isPermissions(field) || field.limitedBy === undefined) return;
  const here = joinPointer(path, 'limitedBy');
  const named = resolveReadableField(subject, here, field.limitedBy);
  if (!named) return;
  if (!isRelation(named))
    return reportProblem(
      subject,
      here,
      `"${named.name}" is of type ${named.type}: name a relation to the record whose permissions are the limit, such as a role.`,
    );
  const target = resolveResource(subject, here, named.to);
  if (target && !Object.values(target.fields).some(isPermissions))
    reportProblem(subject, here, `${target.name} has no field of type permissions, so it cannot be a limit.`);
}
