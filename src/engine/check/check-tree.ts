import { treeName } from '../conditions/tree';
import { isRelation, treeParent } from '../field-types/relation';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import type { Definition } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';

/** Checks the tree beside the list: relations to the records of one tree. */
export function checkTree(subject: CheckSubject): void {
  const { list, fields } = subject.definition;
  if (!list.tree) return;
  const ownerKind = Object.hasOwn(fields, treeName) ? 'field' : subject.source.parameters?.[treeName] && 'parameter';
  if (ownerKind)
    reportProblem(
      subject,
      '/list/tree',
      `Lists with a tree are filtered by "${treeName}", which is a ${ownerKind} here: rename the ${ownerKind}.`,
    );
  let tree: Definition | undefined;
  list.tree.forEach((name, index) => {
    const path = joinPointer('/list/tree', index);
    const field = resolveReadableField(subject, path, name);
    if (!field) return;
    if (!isRelation(field) || field.virtual || field.computed !== undefined) {
      reportProblem(subject, path, `"${name}" must be a stored relation to one record of a tree.`);
      return;
    }
    const target = subject.registry.get(field.to);
    if (!target) return;
    if (!treeParent(target))
      reportProblem(
        subject,
        path,
        `${target.labels.many} are no tree. Give ${target.name} a relation to its own resource: the record above.`,
      );
    else if (tree && tree !== target)
      reportProblem(
        subject,
        path,
        `"${name}" leads to ${target.labels.many}, and the relation before it to ${tree.labels.many}: a list has one tree.`,
      );
    tree ??= target;
  });
}
