import { fault, needField, type Subject } from './check-subject';
import type { Field, FieldTypeName } from './definition';
import { at } from './paths';

/** Checks the keys of dates, times and durations: latest days, days of times, and the times of durations. */
export function checkTimes(subject: Subject, path: string, field: Field): void {
  const written = subject.source.fields[field.name] ?? {};
  if (field.notAfter !== undefined && field.type !== 'date')
    fault(subject, at(path, 'notAfter'), 'Only a date has a latest day.');
  if (field.on !== undefined) {
    if (field.type !== 'time') fault(subject, at(path, 'on'), 'Only a time can be on the day of another field.');
    needType(subject, at(path, 'on'), field.on, 'date');
  }
  if (written.from !== undefined && field.type !== 'duration')
    fault(subject, at(path, 'from'), 'Only a duration can span two times.');
  if (field.type === 'duration' && field.span) {
    needType(subject, at(path, 'from'), field.span.from, 'time');
    needType(subject, at(path, 'to'), field.span.to, 'time');
  }
}

function needType(subject: Subject, path: string, name: string, type: FieldTypeName): void {
  const field = needField(subject, path, name);
  if (field && field.type !== type)
    fault(subject, path, `"${name}" must be of type ${type}, but is of type ${field.type}.`);
}
