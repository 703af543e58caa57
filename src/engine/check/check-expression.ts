import { computedKind } from '../conditions/computed-kind';
import { ExpressionError, expressionOf, partsOf, type Expression, type Test } from '../expressions/grammar';
import { operators, type ArgumentType, type ExpressionType, type Operator } from '../expressions/operators';
import { expressionFields, sourceFields } from '../expressions/references';
import { commonType, expressionTypeOf, isOfType, typeOf } from '../expressions/types';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import type { Definition, Field } from '../definitions/definition';
import { keysOf, typesWith } from '../field-types/field-keys';
import { joinPointer } from '../definitions/problems';
import { fieldOf } from '../definitions/accessors';
import { itemAt, propertyOf, requireValue } from '../values/lookups';

/** Checks a field computed by an expression: its grammar, its types, and that it does not depend on itself. */
export function checkExpression(subject: CheckSubject, path: string, field: Field): void {
  const computedPath = joinPointer(path, 'computed');
  if (!keysOf(field.type).includes('computed'))
    return reportProblem(
      subject,
      joinPointer(path, 'type'),
      `A field of type ${field.type} cannot be computed; fields of type ${typesWith('computed').join(', ')} can.`,
    );
  let expression: Expression;
  try {
    expression = expressionOf(field.computed as object);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return reportProblem(subject, computedPath + error.path, error.message);
  }
  const problemCount = subject.problems.length;
  checkParts(subject, computedPath, expression);
  if (subject.problems.length > problemCount) return;
  const circle = findCircle(subject.definition, field);
  if (circle)
    return reportProblem(subject, computedPath, `It is computed from itself: ${circle.join(' → ')}. Break the circle.`);
  if (countParts(subject.definition, field) > MAX_PARTS)
    return reportProblem(
      subject,
      computedPath,
      `With the computed fields that it reads, this has more than ${MAX_PARTS} parts. Read stored fields, or read a computed field less often.`,
    );
  const fieldType = expressionTypeOf(field);
  if (fieldType === undefined) {
    const key = (['secret', 'virtual', 'multiple'] as const).find((name) => field[name]);
    return reportProblem(
      subject,
      computedPath,
      key
        ? `An expression gives one value that is read with its record, and this field is "${key}". Remove "${key}", or "computed".`
        : `A field of type ${field.type} cannot be computed by an expression. Remove "computed".`,
    );
  }
  const expressionType = typeOf(expression, typeOfField(subject));
  if (!isOfType(expression, expressionType, fieldType))
    reportProblem(
      subject,
      computedPath,
      `This is ${words[requireValue(expressionType, 'the type of an expression')]}, but a field of type ${field.type} holds ${words[fieldType]}.`,
    );
}

const words: Readonly<Record<ExpressionType, string>> = {
  number: 'a number',
  text: 'text',
  date: 'a date',
  instant: 'a date with its time',
  boolean: 'true or false',
};

const typeOfField =
  ({ definition }: CheckSubject) =>
  (name: string) =>
    Object.hasOwn(definition.fields, name) ? expressionTypeOf(fieldOf(definition, name)) : undefined;

function checkParts(subject: CheckSubject, path: string, expression: Expression): void {
  switch (expression.kind) {
    case 'field':
      return checkField(subject, path, expression.name);
    case 'if':
      checkTest(subject, `${path}/$if/condition`, expression.when);
      checkParts(subject, `${path}/$if/then`, expression.then);
      checkParts(subject, `${path}/$if/else`, expression.else);
      return checkArguments(
        subject,
        [expression.then, expression.else],
        ['same', 'same'],
        [`${path}/$if/then`, `${path}/$if/else`],
      );
    case 'call': {
      const { operator, of: parameters } = expression;
      const { takes: parameterTypes }: Operator = operators[operator];
      const paths = parameters.map((_, index) => `${path}/${operator}${parameters.length > 1 ? `/${index}` : ''}`);
      parameters.forEach((argument, index) => checkParts(subject, itemAt(paths, index), argument));
      return checkArguments(
        subject,
        parameters,
        parameters.map((_, index) => itemAt(parameterTypes, Math.min(index, parameterTypes.length - 1))),
        paths,
      );
    }
  }
}

function checkField(subject: CheckSubject, path: string, name: string): void {
  const field = resolveReadableField(subject, path, name);
  if (!field || expressionTypeOf(field)) return;
  const remedy = field.to === undefined ? '' : ' Take a value of the related record with a field of type lookup.';
  reportProblem(
    subject,
    path,
    `An expression cannot calculate with "${name}": it is ${field.virtual ? 'not stored' : `of type ${field.type}`}.${remedy}`,
  );
}

function checkTest(subject: CheckSubject, path: string, test: Test): void {
  if (test.kind === 'condition')
    return checkCondition(subject, path, test.condition, { withoutRelated: 'row', inExpression: true });
  checkParts(subject, path, test.expression);
  checkArguments(subject, [test.expression], ['boolean'], [path]);
}

function checkArguments(
  subject: CheckSubject,
  parameters: readonly Expression[],
  parameterTypes: readonly ArgumentType[],
  paths: readonly string[],
): void {
  const ofField = typeOfField(subject);
  const sharedType = commonType(parameters, ofField);
  parameters.forEach((argument, index) => {
    const [takesHere, path] = [itemAt(parameterTypes, index), itemAt(paths, index)];
    const argumentType = typeOf(argument, ofField);
    const problem = argumentProblem(argument, argumentType, takesHere, sharedType);
    if (problem !== undefined) reportProblem(subject, path, problem);
  });
}

const maxDigits = 10;

function argumentProblem(
  argument: Expression,
  argumentType: ExpressionType | undefined,
  parameterType: ArgumentType,
  sharedType: ExpressionType | undefined,
): string | undefined {
  if (parameterType === 'digits') {
    const isCount = argument.kind === 'value' && Number.isInteger(argument.value) && Number(argument.value) >= 0;
    return isCount && Number(argument.value) <= maxDigits
      ? undefined
      : `The number of decimals must be written as a whole number from 0 to ${maxDigits}.`;
  }
  if (parameterType === 'calendar')
    return argument.kind === 'value' && typeof argument.value === 'string' && argument.value !== ''
      ? undefined
      : 'The calendar is written as its name, such as "Support", or left out for the default one of the company.';
  if (parameterType === 'any')
    return argumentType === 'instant'
      ? 'A date with its time is not written as text: take its day with $dayOf.'
      : undefined;
  if (parameterType === 'ordered' && (sharedType === 'boolean' || sharedType === undefined))
    return `This must be a number, text or a date, not ${sharedType ? words[sharedType] : 'null'}.`;
  const expectedType = parameterType === 'same' || parameterType === 'ordered' ? sharedType : parameterType;
  if (expectedType === undefined || isOfType(argument, argumentType, expectedType)) return undefined;
  return `This must be ${words[expectedType]}, not ${words[requireValue(argumentType, 'the type of an argument')]}.`;
}

/** The computed fields that a field is directly computed from, in its own definition. */
function computedSources({ fields }: Pick<Definition, 'fields'>, field: Field): Field[] {
  let names: readonly string[];
  try {
    names = sourceFields(field);
  } catch {
    // Its own check reports what is wrong with it.
    return [];
  }
  const sources = [...new Set(names)]
    .filter((name) => Object.hasOwn(fields, name))
    .map((name) => propertyOf(fields, name));
  return sources.filter((source) => computedKind(source) !== undefined);
}

/** The fields of a circle in which a field is computed from itself; undefined if there is none. */
function findCircle(
  definition: Pick<Definition, 'fields'>,
  field: Field,
  start = field,
  visitedFields = new Set<Field>(),
): string[] | undefined {
  if (visitedFields.has(start)) return undefined;
  visitedFields.add(start);
  for (const next of computedSources(definition, start)) {
    if (next === field) return [start.name, field.name];
    const circle = findCircle(definition, field, next, visitedFields);
    if (circle) return [start.name, ...circle];
  }
  return undefined;
}

/** Statements contain the expressions of the computed fields that an expression reads, each time it does. */
const MAX_PARTS = 400;

/** The parts of a field's expression, with those of the fields that it reads. */
function countParts(
  definition: Pick<Definition, 'fields'>,
  field: Field,
  partCounts = new Map<string, number>(),
): number {
  const knownCount = partCounts.get(field.name);
  if (knownCount !== undefined) return knownCount;
  partCounts.set(field.name, 1);
  if (computedKind(field) !== 'expression') return 1;
  let parts = 0;
  try {
    const expression = expressionOf(field.computed as object);
    parts = [...partsOf(expression)].length;
    for (const name of expressionFields(expression)) {
      const next = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
      if (next) parts += countParts(definition, next, partCounts);
    }
  } catch {
    // Its own check reports what is wrong with it.
  }
  partCounts.set(field.name, parts);
  return parts;
}
