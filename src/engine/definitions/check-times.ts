import { allTypeKeys } from '../language/field-types';
import { reportProblem, resolveField, type CheckSubject } from './check-context';
import type { Field } from './definition';
import { keysOf } from './field-keys';
import { joinPointer } from './problems';
import type { FieldSource } from './source';

/** What is wrong where a type does not have a key of dates and times. */
const messages: Partial<Readonly<Record<keyof FieldSource, string>>> = {
  maxDate: 'Only a date has a latest day.',
  dateField: 'Only a time can be on the day of another field.',
  suggestedFrom: 'Only a time can go on from another one.',
  startField: 'Only a duration can span two times.',
};

/** Checks the keys of dates, times and durations: latest days, and the fields that they refer to. */
export function checkTimes(subject: CheckSubject, path: string, field: Field): void {
  const written = subject.source.fields[field.name] ?? {};
  const keys = keysOf(field.type);
  for (const [key, message] of Object.entries(messages)) {
    if (key in written && !keys.includes(key as keyof FieldSource))
      reportProblem(subject, joinPointer(path, key), message);
  }
  for (const [key, { reference }] of Object.entries(allTypeKeys()[field.type]!.keys)) {
    const type = reference?.type;
    if (type === undefined) continue;
    const name = written[key as keyof FieldSource];
    const here = joinPointer(path, key);
    const other = typeof name === 'string' ? resolveField(subject, here, name) : undefined;
    if (other && other.type !== type)
      reportProblem(subject, here, `"${other.name}" must be of type ${type}, but is of type ${other.type}.`);
  }
  checkContinued(subject, joinPointer(path, 'suggestedFrom'), field);
}

/** What is offered is of one day: both times need the same date field. */
function checkContinued({ definition, ...subject }: CheckSubject, path: string, field: Field): void {
  const other = field.suggestedFrom === undefined ? undefined : definition.fields[field.suggestedFrom];
  if (other && (field.dateField === undefined || other.dateField !== field.dateField))
    reportProblem(
      { definition, ...subject },
      path,
      `"${field.name}" and "${other.name}" are not of the same day. Give both the same "dateField".`,
    );
}
