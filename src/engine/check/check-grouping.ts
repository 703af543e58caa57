import { hasPeriods } from '../lists/groupable';
import { canGroupList, parseGrouping } from '../lists/grouping';
import { isTotalled } from '../lists/totals';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import { joinPointer } from '../definitions/problems';
import { firstOf } from '../values/lookups';

/** Checks by what the list is grouped, and of what it shows totals. */
export function checkGrouping(subject: CheckSubject): void {
  const { group, totals } = subject.definition.list;
  if (group?.field !== undefined) checkGroupedBy(subject, '/list/group/field', group.field);
  group?.fields?.forEach((name, index) => checkGroupable(subject, joinPointer('/list/group/fields', index), name));
  if (group?.field !== undefined && group.fields && !group.fields.includes(firstOf(group.field.split(':'))))
    reportProblem(
      subject,
      '/list/group/fields',
      `The list is grouped by "${group.field}" at first, which is not among the fields. Add it.`,
    );
  for (const name of Object.keys(totals ?? {})) {
    const path = joinPointer('/list/totals', name);
    const field = resolveReadableField(subject, path, name);
    if (field && !isTotalled(field))
      reportProblem(
        subject,
        path,
        `"${name}" has no total, because it is of type ${field.type}. Totals are of numbers, amounts of money and durations.`,
      );
  }
}

/** Checks a grouping as written: `stage_id`, `close_on:month`. */
export function checkGroupedBy(subject: CheckSubject, path: string, text: string): void {
  const field = checkGroupable(subject, path, firstOf(text.split(':')));
  if (!field || parseGrouping(text, subject.definition)) return;
  reportProblem(
    subject,
    path,
    hasPeriods(field)
      ? `Dates are grouped by periods. Write "${field.name}:month", or day, week, quarter or year.`
      : `"${field.name}" is no date, so it has no periods. Write "${field.name}".`,
  );
}

function checkGroupable(subject: CheckSubject, path: string, name: string) {
  const field = resolveReadableField(subject, path, name);
  if (!field || canGroupList(field)) return field;
  reportProblem(
    subject,
    path,
    `Lists cannot be grouped by "${name}", a field of type ${field.type}. Choose a relation to one record, a field with options, yes or no, or a date.`,
  );
  return undefined;
}
