import { variablesIn } from '../conditions/variables-in';
import { fieldTypeOf } from '../field-types';
import { isMoney } from '../field-types/money';
import { hasPeriods, isGroupable } from '../lists/groupable';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import type { Chart, Field } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';

/** Checks the charts of the list. */
export function checkCharts(subject: CheckSubject): void {
  const { charts } = subject.definition.list;
  charts.forEach((chart, index) => {
    const path = joinPointer('/list/charts', index);
    if (charts.findIndex(({ name }) => name === chart.name) < index)
      reportProblem(subject, joinPointer(path, 'name'), `The chart "${chart.name}" is duplicated.`);
    checkGroups(subject, path, chart);
    checkTake(subject, path, chart);
    const chartSource = subject.source.list?.charts?.[index];
    if (chartSource?.sum !== undefined && chartSource.avg !== undefined)
      reportProblem(subject, joinPointer(path, 'avg'), 'A chart shows a sum or an average: leave one of them out.');
    checkWhere(subject, path, chart);
  });
}

function checkGroups(subject: CheckSubject, path: string, { kind, group, step, series }: Chart): void {
  const report = (key: string, message: string) => reportProblem(subject, joinPointer(path, key), message);
  if (kind === 'number') {
    if (group !== undefined)
      report('group', 'A number is about all records: leave "group" out, or choose another kind.');
    if (series !== undefined)
      report('series', 'A number is about all records: leave "series" out, or choose another kind.');
    if (step !== undefined) report('step', 'A number has no periods: leave "step" out, or choose another kind.');
    return;
  }
  if (group === undefined)
    reportProblem(subject, path, `A chart of kind "${kind}" needs a "group": the field whose values are its labels.`);
  const field = group === undefined ? undefined : groupField(subject, joinPointer(path, 'group'), group);
  if (field && step !== undefined && !hasPeriods(field))
    report('step', `"${field.name}" is of type ${field.type}, which has no periods: leave "step" out.`);
  if (series === undefined) return;
  if (kind === 'doughnut') report('series', 'A doughnut has one series: leave "series" out, or make it a bar.');
  if (series === group) report('series', `"${series}" is the group already: name another field.`);
  const second = groupField(subject, joinPointer(path, 'series'), series);
  if (second && hasPeriods(second))
    report('series', `"${series}" has dates, too many for series: make it the "group", and name another field here.`);
}

function groupField(subject: CheckSubject, path: string, name: string): Field | undefined {
  const field = resolveReadableField(subject, path, name);
  if (!field) return undefined;
  if (isGroupable(field) && !field.multiple) return field;
  reportProblem(
    subject,
    path,
    `Records cannot be grouped by "${name}", a field of type ${field.type}. Name one that has one value of each record, such as a select, a relation or a date.`,
  );
  return undefined;
}

function checkTake(subject: CheckSubject, path: string, { kind, take }: Chart): void {
  if (take === 'count') return;
  const takePath = joinPointer(path, take.of);
  if (take.of === 'avg' && kind === 'doughnut')
    reportProblem(subject, takePath, 'Averages are no parts of a whole: make it a bar, or add up with "sum".');
  const field = resolveReadableField(subject, takePath, take.field);
  if (!field) return;
  if (!fieldTypeOf(field).isSummable || field.name === 'id')
    reportProblem(subject, takePath, `"${take.field}" cannot be added up: name a number, an amount or a duration.`);
  else if (isMoney(field) && field.currencyField !== undefined)
    reportProblem(
      subject,
      takePath,
      `The amounts of "${take.field}" have currencies of their own, so they cannot be added up: name an amount in one currency.`,
    );
}

function checkWhere(subject: CheckSubject, path: string, { where: condition }: Chart): void {
  if (!condition) return;
  const wherePath = joinPointer(path, 'where');
  const problemCount = subject.problems.length;
  checkCondition(subject, wherePath, condition);
  if (subject.problems.length > problemCount) return;
  for (const variable of variablesIn(condition)) {
    if (/^\$(record|form)\b/.test(variable))
      reportProblem(
        subject,
        wherePath,
        `A chart is about many records, so ${variable} has no value: compare with a value, $actor, $today or $now.`,
      );
  }
}
