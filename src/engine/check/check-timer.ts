import { fieldTypeOf } from '../field-types';
import { isRelation } from '../field-types/relation';
import { reportProblem, resolveField, type CheckSubject } from './check-context';

/** Checks the timer: a relation to what the time is spent on, and two times of the same day. */
export function checkTimer(subject: CheckSubject): void {
  const { timer } = subject.definition;
  if (!timer) return;
  const relationField = resolveField(subject, '/timer/relation', timer.relation);
  if (relationField && !(isRelation(relationField) && !relationField.readOnly))
    reportProblem(subject, '/timer/relation', `"${relationField.name}" is not a relation that a form sets. Name one.`);
  const [start, end] = (['start', 'end'] as const).map((key) => {
    const field = resolveField(subject, `/timer/${key}`, timer[key]);
    if (!field || (fieldTypeOf(field).holds === 'time' && field.dateField !== undefined && !field.readOnly))
      return field;
    reportProblem(subject, `/timer/${key}`, `"${field.name}" is not a time with a day. Name one with "dateField".`);
    return undefined;
  });
  if (start && end && (start.dateField !== end.dateField || start === end))
    reportProblem(subject, '/timer/end', `"${end.name}" is not another time on the day of "${start.name}".`);
}
