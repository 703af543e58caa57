import { isVariable, type Predicate } from '../conditions/grammar';
import { predicateOf } from '../conditions/match-condition';
import { columnTypeOf, fieldTypeOf } from '../field-types';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import type { Condition } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';

/** Checks the unique combinations: an index must be able to enforce them. */
export function checkUnique(subject: CheckSubject): void {
  const { definition, source } = subject;
  if (definition.system && definition.unique.length > 0)
    return reportProblem(subject, '/unique', 'The program manages the table of this resource: remove "unique".');
  definition.unique.forEach((rule, index) => {
    const path = joinPointer('/unique', index);
    const list = Array.isArray(source.unique?.[index]) ? path : joinPointer(path, 'fields');
    rule.fields.forEach((name, position) => checkUniqueField(subject, joinPointer(list, position), name));
    if (rule.where) checkUniqueWhere(subject, joinPointer(path, 'where'), rule.where);
  });
}

function checkUniqueField(subject: CheckSubject, path: string, name: string): void {
  const field = resolveReadableField(subject, path, name);
  if (!field || (columnTypeOf(field) !== null && fieldTypeOf(field).sortable && !field.multiple)) return;
  reportProblem(subject, path, `"${name}" has no single stored value, so it cannot be unique. Name another field.`);
}

/** An index sees one row, and always in the same way: it knows neither other records, nor who asks, nor when. */
function checkUniqueWhere(subject: CheckSubject, path: string, condition: Condition): void {
  const problemCount = subject.problems.length;
  checkCondition(subject, path, condition, { withoutRelated: 'row' });
  if (subject.problems.length > problemCount) return;
  for (const { left, operator, right } of comparisonsIn(predicateOf(condition))) {
    const variable = [left, ...(Array.isArray(right) ? (right as unknown[]) : [right])].find(isVariable);
    const field = subject.definition.fields[left];
    if (variable !== undefined)
      reportProblem(subject, path, `${variable} differs from call to call. Compare with a fixed value here.`);
    else if (!field || columnTypeOf(field) === null)
      reportProblem(subject, path, `"${left}" is not stored with the record. Compare a stored field here.`);
    else if (['date', 'timestamptz(3)'].includes(columnTypeOf(field) ?? '') && !equalities.has(operator))
      reportProblem(
        subject,
        path,
        `"${left}" is a date: only whether it is empty, or equal to one, can be tested here.`,
      );
  }
}

/** How PostgreSQL orders dates and writes them as text depends on the session. */
const equalities: ReadonlySet<string> = new Set(['$eq', '$ne', '$in', '$nin']);

type Comparison = Extract<Predicate, { kind: 'compare' }>;

function comparisonsIn(predicate: Predicate): readonly Comparison[] {
  if (predicate.kind === 'compare') return [predicate];
  if (predicate.kind === 'all' || predicate.kind === 'any') return predicate.of.flatMap(comparisonsIn);
  return comparisonsIn(predicate.of);
}
