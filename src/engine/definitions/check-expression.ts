import { computedKind } from '../expressions/computed-kind';
import { ExpressionError, expressionOf, partsOf, type Expression, type Test } from '../expressions/grammar';
import { operators, type ArgumentType, type ExpressionType, type Operator } from '../expressions/operators';
import { expressionFields, sourceFields } from '../expressions/references';
import { commonType, expressionTypeOf, fits, typeOf } from '../expressions/types';
import { checkCondition } from './check-conditions';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import type { Definition, Field } from './definition';
import { keysOf, typesWith } from './field-keys';
import { joinPointer } from './problems';

/** Checks a field computed by an expression: its grammar, its types, and that it does not depend on itself. */
export function checkExpression(subject: CheckSubject, path: string, field: Field): void {
  const here = joinPointer(path, 'computed');
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
    return reportProblem(subject, here + error.path, error.message);
  }
  const known = subject.problems.length;
  checkParts(subject, here, expression);
  if (subject.problems.length > known) return;
  const circle = findCircle(subject.definition, field);
  if (circle)
    return reportProblem(subject, here, `It is computed from itself: ${circle.join(' → ')}. Break the circle.`);
  if (countParts(subject.definition, field) > MAX_PARTS)
    return reportProblem(
      subject,
      here,
      `With the computed fields that it reads, this has more than ${MAX_PARTS} parts. Read stored fields, or read a computed field less often.`,
    );
  const wanted = expressionTypeOf(field)!;
  const given = typeOf(expression, typeOfField(subject));
  if (!fits(expression, given, wanted))
    reportProblem(subject, here, `This is ${words[given!]}, but a field of type ${field.type} holds ${words[wanted]}.`);
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
    Object.hasOwn(definition.fields, name) ? expressionTypeOf(definition.fields[name]!) : undefined;

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
      const { operator, of } = expression;
      const { takes }: Operator = operators[operator];
      const paths = of.map((_, index) => `${path}/${operator}${of.length > 1 ? `/${index}` : ''}`);
      of.forEach((one, index) => checkParts(subject, paths[index]!, one));
      return checkArguments(
        subject,
        of,
        of.map((_, index) => takes[Math.min(index, takes.length - 1)]!),
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
  of: readonly Expression[],
  takes: readonly ArgumentType[],
  paths: readonly string[],
): void {
  const ofField = typeOfField(subject);
  const common = commonType(of, ofField);
  of.forEach((one, index) => {
    const [takesHere, path] = [takes[index]!, paths[index]!];
    const given = typeOf(one, ofField);
    const problem = argumentProblem(one, given, takesHere, common);
    if (problem !== undefined) reportProblem(subject, path, problem);
  });
}

const maxDigits = 10;

function argumentProblem(
  one: Expression,
  given: ExpressionType | undefined,
  takes: ArgumentType,
  common: ExpressionType | undefined,
): string | undefined {
  if (takes === 'digits') {
    const isCount = one.kind === 'value' && Number.isInteger(one.value) && Number(one.value) >= 0;
    return isCount && Number(one.value) <= maxDigits
      ? undefined
      : `The number of decimals must be written as a whole number from 0 to ${maxDigits}.`;
  }
  if (takes === 'calendar')
    return one.kind === 'value' && typeof one.value === 'string' && one.value !== ''
      ? undefined
      : 'The calendar is written as its name, such as "Support", or left out for the default one of the company.';
  if (takes === 'any')
    return given === 'instant' ? 'A date with its time is not written as text: take its day with $dayOf.' : undefined;
  if (takes === 'ordered' && (common === 'boolean' || common === undefined))
    return `This must be a number, text or a date, not ${common ? words[common] : 'null'}.`;
  const wanted = takes === 'same' || takes === 'ordered' ? common : takes;
  if (wanted === undefined || fits(one, given, wanted)) return undefined;
  return `This must be ${words[wanted]}, not ${words[given!]}.`;
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
  const own = [...new Set(names)].filter((name) => Object.hasOwn(fields, name)).map((name) => fields[name]!);
  return own.filter((one) => computedKind(one) !== undefined);
}

/** The fields of a circle in which a field is computed from itself; undefined if there is none. */
function findCircle(
  definition: Pick<Definition, 'fields'>,
  field: Field,
  from = field,
  seen = new Set<Field>(),
): string[] | undefined {
  if (seen.has(from)) return undefined;
  seen.add(from);
  for (const next of computedSources(definition, from)) {
    if (next === field) return [from.name, field.name];
    const circle = findCircle(definition, field, next, seen);
    if (circle) return [from.name, ...circle];
  }
  return undefined;
}

/** Statements contain the expressions of the computed fields that an expression reads, each time it does. */
const MAX_PARTS = 400;

/** The parts of a field's expression, with those of the fields that it reads. */
function countParts(definition: Pick<Definition, 'fields'>, field: Field, known = new Map<string, number>()): number {
  const counted = known.get(field.name);
  if (counted !== undefined) return counted;
  known.set(field.name, 1);
  if (computedKind(field) !== 'expression') return 1;
  let parts = 0;
  try {
    const expression = expressionOf(field.computed as object);
    parts = [...partsOf(expression)].length;
    for (const name of expressionFields(expression)) {
      const next = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
      if (next) parts += countParts(definition, next, known);
    }
  } catch {
    // Its own check reports what is wrong with it.
  }
  known.set(field.name, parts);
  return parts;
}
