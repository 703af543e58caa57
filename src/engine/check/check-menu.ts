import { isStoredRelation } from '../field-types/relation';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveField, resolveResource, type CheckSubject } from './check-context';

/** Checks which records the entry of the menu counts, and of which it warns. */
export function checkMenu(subject: CheckSubject): void {
  const { count, alert } = subject.definition.menu ?? {};
  checkCondition(subject, '/menu/count/where', count?.where, { onStoredRows: true });
  const definition = alert && resolveResource(subject, '/menu/alert/resource', alert.resource);
  if (!definition) return;
  checkCondition(subject, '/menu/alert/among', alert.among, { definition, onStoredRows: true });
  checkCondition(subject, '/menu/alert/where', alert.where, { definition, onStoredRows: true });
  if (alert.latestPer === undefined) return;
  const field = resolveField(subject, '/menu/alert/latestPer', alert.latestPer, definition);
  if (field && !isStoredRelation(field))
    reportProblem(subject, '/menu/alert/latestPer', `"${field.name}" is of type ${field.type}, not a relation.`);
}
