import type { Condition } from '../definitions/definition';
import { closestName } from '../definitions/problems';
import { isExpressionObject } from './computed-kind';
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

/** What `$if` decides by: a condition on the record, or an expression that is true or false. */
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
function parseExpression(written: unknown, path = '', depth = 0): Expression {
  if (depth > MAX_DEPTH)
    throw new ExpressionError(path, `This is nested more than ${MAX_DEPTH} deep. Move a part into a field of its own.`);
  if (typeof written === 'string') return parseText(written, path);
  if (typeof written === 'number' || typeof written === 'boolean' || written === null)
    return { kind: 'value', value: written };
  if (typeof written !== 'object' || Array.isArray(written))
    throw new ExpressionError(path, 'An expression is a value, "$record.…", "$today", or an object with an operator.');
  const entries = Object.entries(written);
  const [operator, given] = entries[0] ?? [];
  if (operator === undefined || entries.length > 1)
    throw new ExpressionError(path, 'An expression has exactly one operator, such as {"$add": ["$record.a", 1]}.');
  const at = `${path}/${operator}`;
  if (operator === '$literal') return parseLiteral(given, at);
  if (operator === '$if') return parseIf(given, at, depth);
  const known = operatorOf(operator);
  if (!known) {
    const guess = closestName(operator, [...Object.keys(operators), ...otherOperators]);
    throw new ExpressionError(at, `Unknown operator ${operator}.${guess ? ` Did you mean ${guess}?` : ''}`);
  }
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const least = known.takes.length - (known.optional ?? 0);
  const most = known.repeats ? 100 : known.takes.length;
  if (list.length < least || list.length > most) {
    const wanted = least === most ? `${least}` : known.repeats ? `at least ${least}` : `${least} or ${most}`;
    throw new ExpressionError(at, `${operator} takes ${wanted} ${wanted === '1' ? 'value' : 'values'}.`);
  }
  const of = list.map((one, index) => parseExpression(one, Array.isArray(given) ? `${at}/${index}` : at, depth + 1));
  return { kind: 'call', operator: operator as OperatorName, of };
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

function parseIf(given: unknown, path: string, depth: number): Expression {
  if (typeof given !== 'object' || given === null || !('condition' in given) || !('then' in given))
    throw new ExpressionError(path, '$if takes {"condition": a condition, "then": …, "else": …}.');
  const unknown = Object.keys(given).find((key) => !['condition', 'then', 'else'].includes(key));
  if (unknown !== undefined) throw new ExpressionError(path, `$if takes when, then and else, not "${unknown}".`);
  const { condition, then, else: otherwise = null } = given as Readonly<Record<'condition' | 'then' | 'else', unknown>>;
  return {
    kind: 'if',
    when: parseTest(condition, `${path}/condition`, depth),
    then: parseExpression(then, `${path}/then`, depth + 1),
    else: parseExpression(otherwise, `${path}/else`, depth + 1),
  };
}

function parseTest(when: unknown, path: string, depth: number): Test {
  if (typeof when === 'object' && when !== null && !Array.isArray(when) && !isExpressionObject(when))
    return { kind: 'condition', condition: when as Condition };
  return { kind: 'expression', expression: parseExpression(when, path, depth + 1) };
}

const parsed = new WeakMap<object, Expression>();

/**
 * The expression of a field, parsed once per object. Throws ExpressionError.
 *
 * @example expressionOf({ $add: ['$record.price', 1] }).kind; // 'call'
 */
export function expressionOf(computed: object): Expression {
  let expression = parsed.get(computed);
  if (!expression) parsed.set(computed, (expression = parseExpression(computed)));
  return expression;
}

/**
 * The parts of an expression: itself, its arguments, and theirs.
 *
 * @example [...partsOf(expressionOf({ $add: [1, 2] }))].length; // 3
 */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  if (expression.kind === 'call') for (const one of expression.of) yield* partsOf(one);
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
