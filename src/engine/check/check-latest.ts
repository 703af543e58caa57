import type { ExpressionType } from '../expressions/operators';
import { expressionTypeOf } from '../expressions/types';
import { isRelation } from '../field-types/relation';
import { reportProblem, resolveReadableField, resolveResource, type CheckSubject } from './check-context';
import type { Definition, FieldOf } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';
import { requireValue } from '../values/lookups';

const timelike: ReadonlySet<ExpressionType> = new Set(['number', 'date', 'instant']);

/** Checks which of its records an inverse has, and how it shows them. */
export function checkLatest(subject: CheckSubject, path: string, field: FieldOf<'inverse'>, source: Definition): void {
  const { maxItems, latestBy, valueStrip, indirectRelation, inLists, distinctBy } = field;
  const report = (key: string, message: string) => reportProblem(subject, joinPointer(path, key), message);
  if (distinctBy !== undefined) {
    const relation = resolveReadableField(subject, joinPointer(path, 'distinctBy'), distinctBy, source);
    if (relation && !isRelation(relation))
      report('distinctBy', `"${source.name}.${distinctBy}" is of type ${relation.type}, not a relation.`);
    if (maxItems !== undefined)
      report('maxItems', 'The latest are of its own records. Remove "maxItems" or "distinctBy".');
    if (field.sum) report('sum', 'A sum is of its own records. Remove "sum" or "distinctBy".');
    if (inLists === 'count')
      report(
        'inLists',
        'A count is of its own records. Let lists have the "records" or "nothing", or remove "distinctBy".',
      );
  }
  if (maxItems === undefined) {
    if (latestBy !== undefined)
      report('latestBy', 'It orders the latest records. Say how many with "maxItems", or remove it.');
    if (indirectRelation !== undefined)
      report(
        'indirectRelation',
        'Records that point here through others are shown, not counted. Say how many with "maxItems".',
      );
    if (valueStrip !== undefined)
      report('valueStrip', 'A strip shows the latest records. Say how many with "maxItems".');
    return;
  }
  if (maxItems > 100)
    report('maxItems', 'A record has at most 100 of its latest records. A tab of the form lists all of them.');
  if (inLists === 'count')
    report('inLists', 'A count is of all records. Let lists have the "records" or "nothing", or remove "maxItems".');
  const order = resolveReadableField(
    subject,
    joinPointer(path, 'latestBy'),
    requireValue(latestBy, 'latestBy'),
    source,
  );
  const type = order && expressionTypeOf(order);
  if (order && !(type && timelike.has(type)))
    report('latestBy', `"${latestBy}" must be a date, a date with its time, or a number.`);
  const stripField =
    valueStrip === undefined
      ? undefined
      : resolveReadableField(subject, joinPointer(path, 'valueStrip'), valueStrip, source);
  if (stripField && (stripField.options === undefined || stripField.multiple))
    report(
      'valueStrip',
      `"${valueStrip}" is of type ${stripField.type}: a strip shows the options of a select with one value.`,
    );
  if (indirectRelation) checkAlso(subject, joinPointer(path, 'indirectRelation'), indirectRelation, source);
}

function checkAlso(
  subject: CheckSubject,
  path: string,
  { relation, field }: NonNullable<FieldOf<'inverse'>['indirectRelation']>,
  source: Definition,
): void {
  const first = resolveReadableField(subject, path, relation, source);
  if (!first) return;
  if (!isRelation(first)) {
    reportProblem(subject, path, `"${source.name}.${relation}" is of type ${first.type}, not a relation.`);
    return;
  }
  const middleDefinition = resolveResource(subject, path, first.to);
  const second = middleDefinition && resolveReadableField(subject, path, field, middleDefinition);
  if (second && !(isRelation(second) && second.to === subject.definition.name))
    reportProblem(subject, path, `"${first.to}.${field}" does not point to ${subject.definition.name}.`);
}
