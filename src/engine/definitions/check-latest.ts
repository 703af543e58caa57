import type { ExpressionType } from '../expressions/operators';
import { expressionTypeOf } from '../expressions/types';
import { isRelation } from '../field-types/relation';
import { reportProblem, resolveReadableField, resolveResource, type CheckSubject } from './check-context';
import type { Definition, FieldOf } from './definition';
import { joinPointer } from './problems';

const timelike: ReadonlySet<ExpressionType> = new Set(['number', 'date', 'instant']);

/** Checks which of its records an inverse has, and how it shows them. */
export function checkLatest(subject: CheckSubject, path: string, field: FieldOf<'inverse'>, other: Definition): void {
  const { most, by, strip, also, inLists, distinct } = field;
  const report = (key: string, message: string) => reportProblem(subject, joinPointer(path, key), message);
  if (distinct !== undefined) {
    const relation = resolveReadableField(subject, joinPointer(path, 'distinct'), distinct, other);
    if (relation && !isRelation(relation))
      report('distinct', `"${other.name}.${distinct}" is of type ${relation.type}, not a relation.`);
    if (most !== undefined) report('most', 'The latest are of its own records. Remove "most" or "distinct".');
    if (field.sum) report('sum', 'A sum is of its own records. Remove "sum" or "distinct".');
    if (inLists === 'count')
      report(
        'inLists',
        'A count is of its own records. Let lists have the "records" or "nothing", or remove "distinct".',
      );
  }
  if (most === undefined) {
    if (by !== undefined) report('by', 'It orders the latest records. Say how many with "most", or remove it.');
    if (also !== undefined)
      report('also', 'Records that point here through others are shown, not counted. Say how many with "most".');
    if (strip !== undefined) report('strip', 'A strip shows the latest records. Say how many with "most".');
    return;
  }
  if (most > 100)
    report('most', 'A record has at most 100 of its latest records. A tab of the form lists all of them.');
  if (inLists === 'count')
    report('inLists', 'A count is of all records. Let lists have the "records" or "nothing", or remove "most".');
  const order = resolveReadableField(subject, joinPointer(path, 'by'), by!, other);
  const type = order && expressionTypeOf(order);
  if (order && !(type && timelike.has(type)))
    report('by', `"${by}" must be a date, a date with its time, or a number.`);
  const shown =
    strip === undefined ? undefined : resolveReadableField(subject, joinPointer(path, 'strip'), strip, other);
  if (shown && (shown.options === undefined || shown.many))
    report('strip', `"${strip}" is of type ${shown.type}: a strip shows the options of a select with one value.`);
  if (also) checkAlso(subject, joinPointer(path, 'also'), also, other);
}

function checkAlso(
  subject: CheckSubject,
  path: string,
  { relation, field }: NonNullable<FieldOf<'inverse'>['also']>,
  other: Definition,
): void {
  const first = resolveReadableField(subject, path, relation, other);
  if (!first) return;
  if (!isRelation(first)) {
    reportProblem(subject, path, `"${other.name}.${relation}" is of type ${first.type}, not a relation.`);
    return;
  }
  const between = resolveResource(subject, path, first.to);
  const second = between && resolveReadableField(subject, path, field, between);
  if (second && !(isRelation(second) && second.to === subject.definition.name))
    reportProblem(subject, path, `"${between!.name}.${field}" does not point to ${subject.definition.name}.`);
}
