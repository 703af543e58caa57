import { ConditionError, parseCondition, type Predicate } from '../../../../engine/conditions/grammar';
import { parseRelativeTime, relativeTimeForms } from '../../../../engine/conditions/relative-time';
import { operandProblems } from '../../../../engine/check/check-conditions';
import type { Condition, Definition, Field } from '../../../../engine/definitions/definition';
import { normaliseText } from '../../../../engine/values/normalise-text';
import { columnTypeOf, fieldTypeOf, valueTypeOf } from '../../../../engine/field-types';
import { isInverse } from '../../../../engine/field-types/inverse';
import { rowDefinition } from '../../../../engine/field-types/row-definition';
import { isRows } from '../../../../engine/field-types/rows';
import { isAnyRelation, treeParent } from '../../../../engine/field-types/relation';
import { presentValue } from '../../../../engine/field-types/former-values';
import { JsonLimitError, parseBoundedJson } from '../../../../engine/values/bounded-json';
import { accessFilterIfGranted, allOf, readableFields } from '../../../access/access-filter';
import type { RequestContext } from '../../../access/request-context';
import { Invalid } from '../../../errors/errors';
import { resolvePredicate } from '../../../sql/statement-parameter';
import { restrictInverse } from './filter';
import { quoteValue } from './values';
import { ownProperty } from '../../../../engine/values/lookups';

/** The maximum number of tests in one statement. */
const maxTests = 100;

/**
 * Parses `?where=`: a condition of the grammar of definitions, in JSON. It may test what the caller may read: fields of
 * these records, and of related ones that they may list. Throws Invalid, naming the place and the remedy.
 */
export function parseWhere(context: RequestContext, definition: Definition, text: unknown): Predicate {
  let predicate: Predicate;
  try {
    predicate = parseCondition(parseJson(text));
  } catch (error) {
    if (error instanceof ConditionError) throw refusal(error.message, error.path);
    throw error;
  }
  assertSmall(predicate);
  const checked = checkPredicate(context, definition, predicate);
  return resolvePredicate(checked, context.evaluationContext);
}

function parseJson(text: unknown): Condition {
  try {
    return parseBoundedJson(String(text)) as Condition;
  } catch (error) {
    if (error instanceof JsonLimitError) throw refusal(`where ${error.message}.`);
    throw refusal('where must be a condition as JSON, such as {"name":"Ada"}.');
  }
}

function refusal(message: string, path = ''): Invalid {
  return new Invalid({ [`where${path}`]: message });
}

function assertSmall(predicate: Predicate): void {
  let tests = 0;
  const visit = (part: Predicate): void => {
    if (part.kind === 'compare' && ++tests > maxTests) throw refusal(`At most ${maxTests} comparisons are possible.`);
    if (part.kind === 'not' || part.kind === 'some') visit(part.of);
    else if (part.kind !== 'compare') part.of.forEach(visit);
  };
  visit(predicate);
}

/** The predicate, with its tests on related records limited to those that the caller may list. */
function checkPredicate(context: RequestContext, definition: Definition, predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return { kind: predicate.kind, of: predicate.of.map((part) => checkPredicate(context, definition, part)) };
    case 'not':
      return { kind: 'not', of: checkPredicate(context, definition, predicate.of) };
    case 'some':
      return checkSome(context, definition, predicate);
    case 'compare':
      return checkComparison(context, definition, predicate);
  }
}

function checkSome(
  context: RequestContext,
  definition: Definition,
  { field: name, of: condition }: Extract<Predicate, { kind: 'some' }>,
): Predicate {
  const field = readableField(context, definition, name);
  if (isRows(field))
    return { kind: 'some', field: name, of: checkPredicate(context, rowDefinition(definition, field), condition) };
  const resource = isInverse(field) ? field.inverse.resource : isAnyRelation(field) ? field.to : undefined;
  if (resource === undefined)
    throw refusal(`A path or $some needs a field with related records, but "${name}" is of type ${field.type}.`);
  const target = context.registry.getOrThrow(resource);
  const archived = isInverse(field) ? 'none' : 'any';
  const listPredicate = accessFilterIfGranted(context, target, 'list', { archived });
  if (!listPredicate) throw refusal(`You may not list ${target.labels.many}, so "${name}" cannot be tested here.`);
  const isBelow = condition.kind === 'compare' && condition.operator === '$below';
  if (isBelow && !treeParent(target))
    throw refusal(`$below needs a relation to records that are a tree, but "${name}" is none.`);
  // A tree that leads through records that the caller may not list would tell of them.
  const test = isBelow ? { ...condition, within: listPredicate } : checkPredicate(context, target, condition);
  return { kind: 'some', field: name, of: allOf([listPredicate, test]) };
}

function checkComparison(
  context: RequestContext,
  definition: Definition,
  predicate: Extract<Predicate, { kind: 'compare' }>,
): Predicate {
  const { left, operator } = predicate;
  for (const operand of [predicate.right].flat()) checkVariable(operand);
  if (left.startsWith('$')) {
    checkVariable(left);
    return predicate;
  }
  const field = readableField(context, definition, left);
  if (field.options) predicate = { ...predicate, right: presentValue(field, predicate.right) };
  const [problem] = operandProblems(field, predicate);
  if (problem !== undefined) throw refusal(problem);
  if (fieldTypeOf(field).onlyPresence && operator !== '$eq' && operator !== '$ne')
    throw refusal(`"${left}" is of type ${field.type}: a condition can only test whether it exists.`);
  return restrictInverse(context, field, { ...predicate, right: storedForm(field, predicate.right) });
}

/** Texts as fields store them. */
function storedForm(field: Field, right: unknown): unknown {
  if (Array.isArray(right)) return right.map((item) => storedForm(field, item));
  const isText = typeof right === 'string' && !right.startsWith('$') && valueTypeOf(field) === 'text';
  return isText && !fieldTypeOf(field).hasMarkup ? normaliseText(right) : right;
}

const actorVariables = ['$actor.id', '$actor.level', '$actor.role', '$actor.role_id', '$actor.site_id', '$actor.lists'];

function checkVariable(value: unknown): void {
  if (typeof value !== 'string' || !value.startsWith('$')) return;
  const isKnown =
    value === '$today' || value === '$now' || actorVariables.includes(value) || parseRelativeTime(value) !== undefined;
  if (!isKnown)
    throw refusal(`${quoteValue(value)} has no value here. Use ${actorVariables.join(', ')}, ${relativeTimeForms}.`);
}

/** The stored field that the caller may read on every record. */
function readableField(context: RequestContext, definition: Definition, name: string): Field {
  const field = ownProperty(definition.fields, name);
  const isReadable = field && !field.virtual && readableFields(context.actor, definition).always.has(name);
  if (!isReadable) {
    throw refusal(`${definition.labels.many} have no field ${quoteValue(name)} that you may read.`);
  }
  const isStored =
    isInverse(field) ||
    isAnyRelation(field) ||
    isRows(field) ||
    field.computed !== undefined ||
    columnTypeOf(field) !== null;
  if (!isStored) throw refusal(`"${name}" is of type ${field.type}, which no condition can test.`);
  if (isInverse(field) && !accessFilterIfGranted(context, context.registry.getOrThrow(field.inverse.resource), 'list'))
    throw refusal(`${definition.labels.many} have no field ${quoteValue(name)} that you may read.`);
  return field;
}
