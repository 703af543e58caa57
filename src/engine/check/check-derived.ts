import { computedKind } from '../conditions/computed-kind';
import { lookupPath, rollupOf, type Rollup } from '../expressions/derivations';
import type { PlacedField } from '../expressions/placed-fields';
import type { ExpressionType } from '../expressions/operators';
import { commonCurrency } from '../expressions/rollup-currency';
import { madeFrom } from '../expressions/sources';
import { expressionTypeOf } from '../expressions/types';
import { fieldTypeOf } from '../field-types';
import { isMoney } from '../field-types/money';
import { isRelation } from '../field-types/relation';
import { isRows } from '../field-types/rows';
import { plainTypeOf } from '../field-types/lookup';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveReadableField, resolveResource, type CheckSubject } from './check-context';
import type { Condition, Definition, Field } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';
import { rowDefinition } from '../field-types/row-definition';
import type { Registry } from '../registry/registry';
import { lastOf, requireValue } from '../values/lookups';

/** Checks a lookup or rollup: that its names mean something, and that it is not made from itself. */
export function checkDerived(subject: CheckSubject, path: string, field: Field): void {
  const kind = computedKind(field);
  if (kind !== 'lookup' && kind !== 'rollup') return;
  const problemCount = subject.problems.length;
  if (kind === 'lookup') checkLookup(subject, joinPointer(path, 'source'), lookupPath(field));
  else checkRollup(subject, path, field);
  if (subject.problems.length > problemCount) return;
  const circle = findCircle(subject.registry, { definition: subject.definition, field });
  if (circle)
    reportProblem(
      subject,
      joinPointer(path, 'source'),
      `It is made from itself: ${circle.map(({ definition, field: { name } }) => `${definition.name}.${name}`).join(' → ')}. Break the circle.`,
    );
}

function checkLookup(subject: CheckSubject, path: string, names: readonly string[]): void {
  let definition: Definition | undefined = subject.definition;
  for (const name of names.slice(0, -1)) {
    const relation: Field | undefined = definition && resolveReadableField(subject, path, name, definition);
    if (!relation) return;
    if (!isRelation(relation))
      return reportProblem(
        subject,
        path,
        `"${name}" is of type ${relation.type}: a lookup follows relations to one record, and ends with a field.`,
      );
    definition = resolveResource(subject, path, relation.to);
  }
  const field = definition && resolveReadableField(subject, path, lastOf(names), definition);
  if (!field) return;
  if (names.length < 2)
    return reportProblem(subject, path, 'A lookup follows a relation: write it as "owner_id.name".');
  checkValue(subject, path, field);
}

/** A value that a list can show, sort and filter. */
function checkValue(subject: CheckSubject, path: string, field: Field): void {
  if (expressionTypeOf(field) && plainTypeOf(fieldTypeOf(field))) return;
  const remedy = isRelation(field) ? ` Name a field of it, such as "${field.name}.name".` : '';
  reportProblem(subject, path, `"${field.name}" is of type ${field.type}, which is not a single value.${remedy}`);
}

function checkRollup(subject: CheckSubject, path: string, field: Field): void {
  const { rows, take, field: takenField, by: orderField, where: condition } = rollupOf(field);
  const source = resolveRollupSource(subject, joinPointer(path, 'source'), rollupOf(field));
  if (!source) return;
  const members = rows === undefined ? 'records' : 'rows';
  const counts = take === 'count' || take === 'share';
  if (counts && takenField !== undefined)
    reportProblem(subject, joinPointer(path, 'field'), `"${take}" counts ${members} and takes no field. Remove it.`);
  if (!counts && takenField === undefined)
    reportProblem(
      subject,
      joinPointer(path, 'aggregate'),
      `"${take}" needs "field": the ${rows === undefined ? `field of ${source.name}` : `column of "${rows}"`} that it takes.`,
    );
  if (take === 'share' && condition === undefined)
    reportProblem(
      subject,
      joinPointer(path, 'aggregate'),
      `"share" needs "where": which of the ${members} are the share.`,
    );
  const wholeField =
    field.of === undefined ? undefined : resolveReadableField(subject, joinPointer(path, 'of'), field.of);
  if (wholeField && fieldTypeOf(wholeField).holds !== 'number')
    reportProblem(
      subject,
      joinPointer(path, 'of'),
      `"${wholeField.name}" is no number, so that nothing can be a part of it.`,
    );
  if (take !== 'latest' && subject.source.fields[field.name]?.latestBy !== undefined)
    reportProblem(subject, joinPointer(path, 'latestBy'), 'Only "latest" has an order. Remove it.');
  if (takenField !== undefined && !counts) {
    checkTaken(subject, joinPointer(path, 'field'), source, takenField, take);
    checkCurrency(subject, joinPointer(path, 'field'), source.fields[takenField], condition);
  }
  if (orderField !== undefined) {
    const order = resolveReadableField(subject, joinPointer(path, 'latestBy'), orderField, source);
    const type = order && expressionTypeOf(order);
    if (order && !(type && timelike.has(type)))
      reportProblem(
        subject,
        joinPointer(path, 'latestBy'),
        `"${orderField}" must be a date, a date with its time, or a number.`,
      );
  }
  checkCondition(subject, joinPointer(path, 'where'), condition, {
    definition: source,
    inExpression: true,
    // Forms have the rows, but not what these refer to.
    ...(rows !== undefined && { withoutRelated: 'row' }),
  });
}

/** The records that point here, or the rows of a field; undefined if it was reported that there are none. */
function resolveRollupSource(
  subject: CheckSubject,
  path: string,
  { rows, resource, relation }: Rollup,
): Definition | undefined {
  if (rows !== undefined) {
    const rowsField = resolveReadableField(subject, path, rows);
    if (!rowsField) return undefined;
    if (isRows(rowsField)) return rowDefinition(subject.definition, rowsField);
    reportProblem(
      subject,
      path,
      `"${rows}" is of type ${rowsField.type}: a rollup takes the rows of a field, or the records that point here by a relation. Write these as "orders.customer_id".`,
    );
    return undefined;
  }
  const source = resolveResource(subject, path, resource);
  if (!source) return undefined;
  const [name, ...extraSteps] = relation.split('.') as [string, ...string[]];
  const side = resolveReadableField(subject, path, name, source);
  if (!side) return undefined;
  if (extraSteps.length > 0) {
    reportProblem(
      subject,
      path,
      `A rollup takes the records that point here, not what they have in turn. Make a rollup of ${source.name} over "${extraSteps.join('.')}", and take that by "field".`,
    );
    return undefined;
  }
  if (side.to === subject.definition.name) return source;
  reportProblem(
    subject,
    path,
    `"${resource}.${relation}" ${side.to === undefined ? `is of type ${side.type}` : `points to ${side.to}`}, not to ${subject.definition.name}.`,
  );
  return undefined;
}

const summable: ReadonlySet<ExpressionType> = new Set(['number']);
const timelike: ReadonlySet<ExpressionType> = new Set(['number', 'date', 'instant']);
const comparable: ReadonlySet<ExpressionType> = new Set(['number', 'text', 'date', 'instant']);

/** Amounts in several currencies can be neither added nor compared, and one of them says nothing without its currency. */
function checkCurrency(
  subject: CheckSubject,
  path: string,
  takenField: Field | undefined,
  condition: Condition | undefined,
): void {
  if (!takenField || !isMoney(takenField) || commonCurrency(takenField, condition) !== undefined) return;
  reportProblem(
    subject,
    path,
    `The amounts of "${takenField.name}" can be in several currencies. Say which ones are meant: "where": {"${takenField.currencyField}": "EUR"}.`,
  );
}

function checkTaken(subject: CheckSubject, path: string, source: Definition, name: string, take: string): void {
  const [first, column] = name.split('.') as [string, string?];
  const field = resolveReadableField(subject, path, first, source);
  if (!field) return;
  if (isRows(field) || column !== undefined)
    return reportProblem(
      subject,
      path,
      `A rollup takes a field of ${source.name}, not what ${isRows(field) ? 'the rows' : 'the records'} of "${first}" have. Make a ${isRows(field) ? `rollup of ${source.name} over "${first}"` : `lookup of ${source.name}`}, and take that.`,
    );
  const problemCount = subject.problems.length;
  checkValue(subject, path, field);
  if (subject.problems.length > problemCount) return;
  const type = requireValue(expressionTypeOf(field), `the type of ${name} in expressions`);
  if ((take === 'sum' || take === 'avg') && !summable.has(type))
    reportProblem(subject, path, `"${take}" takes numbers, and "${name}" is of type ${field.type}.`);
  else if (take !== 'latest' && !comparable.has(type))
    reportProblem(subject, path, `"${take}" takes numbers, dates and texts, and "${name}" is of type ${field.type}.`);
}

/** The fields that a field is made from; none if it is not written correctly, which its own check reports. */
function partsOfField(registry: Registry, placedField: PlacedField): readonly PlacedField[] {
  try {
    return madeFrom(placedField, registry.definitions);
  } catch {
    return [];
  }
}

function findCircle(
  registry: Registry,
  goal: PlacedField,
  start = goal,
  visitedFields = new Set<Field>(),
): PlacedField[] | undefined {
  if (visitedFields.has(start.field)) return undefined;
  visitedFields.add(start.field);
  for (const next of partsOfField(registry, start)) {
    if (next.field === goal.field) return [start, goal];
    const circle = findCircle(registry, goal, next, visitedFields);
    if (circle) return [start, ...circle];
  }
  return undefined;
}
