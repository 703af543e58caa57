import type { Condition } from '../definitions/definition';
import { closestName } from '../definitions/problems';
import { isExpressionObject } from '../conditions/computed-kind';
import { operatorOf, operators, type Operator, type OperatorName } from './operators';

/**
 * The expression grammar: a value as data. An object has one operator and its arguments (`{"$add": ["$record.a", 1]}`),
 * `$record.x` is the value of a field of the same record, `$today` the caller's day; anything else is itself.
 */
export type Expression =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'today' }
  | { readonly kind: 'call'; readonly operator: OperatorName; readonly of: readonly Expression[] }
  | { readonly kind: 'if'; readonly when: Test; readonly then: Expression; readonly else: Expression };

/** The test of `$if`: a condition on the record, or an expression that is true or false. */
export type Test =
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'expression'; readonly expression: Expression };

/** An expression that does not follow the grammar. `path` is the JSON pointer of the error inside the expression. */
export class ExpressionError extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

/** Deeper expressions are refused: statements get as deep. */
const MAX_DEPTH = 16;

const otherOperators = ['$if', '$literal'];

/**
 * Parses an expression. `path` is its location, for messages. Throws ExpressionError for anything outside the grammar.
 *
 * @example parseExpression({ $add: ['$record.price', 1] }); // { kind: 'call', operator: '$add', … }
 */
function parseExpression(source: unknown, path = '', depth = 0): Expression {
  if (depth > MAX_DEPTH)
    throw new ExpressionError(path, `This is nested more than ${MAX_DEPTH} deep. Move a part into a field of its own.`);
  if (typeof source === 'string') return parseText(source, path);
  if (typeof source === 'number' || typeof source === 'boolean' || source === null)
    return { kind: 'value', value: source };
  if (typeof source !== 'object' || Array.isArray(source))
    throw new ExpressionError(path, 'An expression is a value, "$record.…", "$today", or an object with an operator.');
  const entries = Object.entries(source);
  const [operator, operand] = entries[0] ?? [];
  if (operator === undefined || entries.length > 1)
    throw new ExpressionError(path, 'An expression has exactly one operator, such as {"$add": ["$record.a", 1]}.');
  const operatorPath = `${path}/${operator}`;
  if (operator === '$literal') return parseLiteral(operand, operatorPath);
  if (operator === '$if') return parseIf(operand, operatorPath, depth);
  const operatorDefinition = operatorOf(operator);
  if (!operatorDefinition) {
    const guess = closestName(operator, [...Object.keys(operators), ...otherOperators]);
    throw new ExpressionError(operatorPath, `Unknown operator ${operator}.${guess ? ` Did you mean ${guess}?` : ''}`);
  }
  const list: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const minimum = operatorDefinition.takes.length - (operatorDefinition.optional ?? 0);
  const maximum = operatorDefinition.repeats ? 100 : operatorDefinition.takes.length;
  if (list.length < minimum || list.length > maximum) {
    const expectedCount =
      minimum === maximum
        ? `${minimum}`
        : operatorDefinition.repeats
          ? `at least ${minimum}`
          : `${minimum} or ${maximum}`;
    throw new ExpressionError(
      operatorPath,
      `${operator} takes ${expectedCount} ${expectedCount === '1' ? 'value' : 'values'}.`,
    );
  }
  const parameters = list.map((argument, index) =>
    parseExpression(argument, Array.isArray(operand) ? `${operatorPath}/${index}` : operatorPath, depth + 1),
  );
  return { kind: 'call', operator: operator as OperatorName, of: parameters };
}

function parseText(text: string, path: string): Expression {
  if (text === '$today') return { kind: 'today' };
  const name = /^\$record\.([a-z][A-Za-z0-9_]*)$/.exec(text)?.[1];
  if (name !== undefined) return { kind: 'field', name };
  if (!text.startsWith('$')) return { kind: 'value', value: text };
  throw new ExpressionError(
    path,
    `${JSON.stringify(text)} is not known here: write "$record." and a field of this record, "$today", or {"$literal": …} for a text that begins with $.`,
  );
}

function parseLiteral(value: unknown, path: string): Expression {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { kind: 'value', value };
  throw new ExpressionError(path, '$literal takes a text, a number, true or false.');
}

function parseIf(source: unknown, path: string, depth: number): Expression {
  if (typeof source !== 'object' || source === null || !('condition' in source) || !('then' in source))
    throw new ExpressionError(path, '$if takes {"condition": a condition, "then": …, "else": …}.');
  const unknown = Object.keys(source).find((key) => !['condition', 'then', 'else'].includes(key));
  if (unknown !== undefined) throw new ExpressionError(path, `$if takes when, then and else, not "${unknown}".`);
  const {
    condition,
    then: whenTrue,
    else: whenFalse = null,
  } = source as Readonly<Record<'condition' | 'then' | 'else', unknown>>;
  return {
    kind: 'if',
    when: parseTest(condition, `${path}/condition`, depth),
    then: parseExpression(whenTrue, `${path}/then`, depth + 1),
    else: parseExpression(whenFalse, `${path}/else`, depth + 1),
  };
}

function parseTest(source: unknown, path: string, depth: number): Test {
  if (typeof source === 'object' && source !== null && !Array.isArray(source) && !isExpressionObject(source))
    return { kind: 'condition', condition: source as Condition };
  return { kind: 'expression', expression: parseExpression(source, path, depth + 1) };
}

const expressionCache = new WeakMap<object, Expression>();

/**
 * The expression of a field, parsed once per object. Throws ExpressionError.
 *
 * @example expressionOf({ $add: ['$record.price', 1] }).kind; // 'call'
 */
export function expressionOf(source: object): Expression {
  let expression = expressionCache.get(source);
  if (!expression) expressionCache.set(source, (expression = parseExpression(source)));
  return expression;
}

/**
 * The parts of an expression: itself, its arguments, and theirs.
 *
 * @example [...partsOf(expressionOf({ $add: [1, 2] }))].length; // 3
 */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  if (expression.kind === 'call') for (const argument of expression.of) yield* partsOf(argument);
  if (expression.kind !== 'if') return;
  if (expression.when.kind === 'expression') yield* partsOf(expression.when.expression);
  yield* partsOf(expression.then);
  yield* partsOf(expression.else);
}

/**
 * Whether an expression calculates with the calendars of companies, which only the database has.
 *
 * @example usesCalendar(expressionOf({ $workingDays: ['$record.from_on', '$record.until_on'] })); // true
 */
export function usesCalendar(expression: Expression): boolean {
  return [...partsOf(expression)].some((part) => {
    const operator: Operator | undefined = part.kind === 'call' ? operators[part.operator] : undefined;
    return operator?.usesCalendar === true;
  });
}
