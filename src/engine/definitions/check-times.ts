import { reportProblem, resolveField, type CheckSubject } from './check-context';
import type { Field, FieldTypeName } from './definition';
import { joinPointer } from './problems';

/** Checks the keys of dates, times and durations: latest days, days of times, and the times of durations. */
export function checkTimes(subject: CheckSubject, path: string, field: Field): void {
  const written = subject.source.fields[field.name] ?? {};
  if (written.notAfter !== undefined && field.type !== 'date')
    reportProblem(subject, joinPointer(path, 'notAfter'), 'Only a date has a latest day.');
  if (written.on !== undefined) {
    if (field.type !== 'time')
      reportProblem(subject, joinPointer(path, 'on'), 'Only a time can be on the day of another field.');
    needType(subject, joinPointer(path, 'on'), written.on, 'date');
  }
  if (written.from !== undefined && field.type !== 'duration')
    reportProblem(subject, joinPointer(path, 'from'), 'Only a duration can span two times.');
  if (field.span) {
    needType(subject, joinPointer(path, 'from'), field.span.from, 'time');
    needType(subject, joinPointer(path, 'to'), field.span.to, 'time');
  }
}

function needType(subject: CheckSubject, path: string, name: string, type: FieldTypeName): void {
  const field = resolveField(subject, path, name);
  if (field && field.type !== type)
    reportProblem(subject, path, `"${name}" must be of type ${type}, but is of type ${field.type}.`);
}
