import { allTypeKeys } from '../language/field-types';
import { reportProblem, resolveField, type CheckSubject } from './check-context';
import type { Field } from '../definitions/definition';
import { keysOf } from '../field-types/field-keys';
import { joinPointer } from '../definitions/problems';
import type { FieldSource } from '../language/source';
import { propertyOf } from '../values/lookups';

/** The messages where a type does not have a key of dates and times. */
const messages: Partial<Readonly<Record<keyof FieldSource, string>>> = {
  maxDate: 'Only a date has a latest day.',
  dateField: 'Only a time can be on the day of another field.',
  suggestedFrom: 'Only a time can go on from another one.',
  startField: 'Only a duration can span two times.',
};

/** Checks the keys of dates, times and durations: latest days, and the fields that they refer to. */
export function checkTimes(subject: CheckSubject, path: string, field: Field): void {
  const fieldSource = subject.source.fields[field.name] ?? {};
  const keys = keysOf(field.type);
  for (const [key, message] of Object.entries(messages)) {
    if (key in fieldSource && !keys.includes(key as keyof FieldSource))
      reportProblem(subject, joinPointer(path, key), message);
  }
  for (const [key, { reference }] of Object.entries(propertyOf(allTypeKeys(), field.type).keys)) {
    const type = reference?.type;
    if (type === undefined) continue;
    const name = fieldSource[key as keyof FieldSource];
    const keyPath = joinPointer(path, key);
    const otherField = typeof name === 'string' ? resolveField(subject, keyPath, name) : undefined;
    if (otherField && otherField.type !== type)
      reportProblem(
        subject,
        keyPath,
        `"${otherField.name}" must be of type ${type}, but is of type ${otherField.type}.`,
      );
  }
  checkContinued(subject, joinPointer(path, 'suggestedFrom'), field);
}

/** A suggested time is of the same day: both times need the same date field. */
function checkContinued({ definition, ...subject }: CheckSubject, path: string, field: Field): void {
  const previousField = field.suggestedFrom === undefined ? undefined : definition.fields[field.suggestedFrom];
  if (previousField && (field.dateField === undefined || previousField.dateField !== field.dateField))
    reportProblem(
      { definition, ...subject },
      path,
      `"${field.name}" and "${previousField.name}" are not of the same day. Give both the same "dateField".`,
    );
}
