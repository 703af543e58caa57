import type { Action, Level, ResourceRecord, RoleName } from '../definitions/definition';
import { isDate } from '../formats/dates';
import { isVariable, type Predicate } from './grammar';
import { parseRelativeTime, shiftDay, shiftInstant } from './relative-time';
import { propertyOf } from '../values/lookups';

/** The values of a condition's variables. */
export interface EvaluationContext {
  readonly actor?: ActorValues;
  /** The stored record. */
  readonly record?: ResourceRecord;
  /** The values currently in the form, or about to be stored. */
  readonly form?: ResourceRecord;
  /** YYYY-MM-DD in the actor's zone. */
  readonly today: string;
  /** ISO 8601 in UTC. */
  readonly now: string;
  /** The results of a condition's tests on related records that were looked up before. */
  readonly related?: ReadonlyMap<Predicate, boolean>;
  /** The values of computed fields as they follow from the values, by name. */
  readonly derived?: ResourceRecord;
  /** Nothing is left to the server, as this is the server: a value that is missing here does not exist. */
  readonly isComplete?: true;
  /** The states that the records of relations with transitions mean, by field and id. */
  readonly states?: Readonly<Record<string, ReadonlyMap<unknown, RelatedState>>>;
  /** The actor's zone, in which instants have their days. Default: UTC. */
  readonly timeZone?: string;
}

/** The properties of an actor that conditions can name, and those that their texts need. */
export interface ActorValues {
  readonly id: number;
  readonly role_id: number;
  readonly level: Level;
  readonly role?: string;
  readonly roles?: readonly RoleName[];
  readonly site_id: number | null;
  readonly permissions?: Readonly<Record<string, readonly Action[]>>;
}

/** The name of a record that is a state, as transitions name it. */
export interface RelatedState {
  readonly name: unknown;
  /** The user may not see the record. */
  readonly isHidden?: true;
}

/** Marks a variable without a value here: every comparison with it is false. */
export const unresolved = Symbol('unresolved');

/**
 * The value of `$actor.id`, `$form.project_id`, `$today`, `$today+7d` …; `unresolved` if there is none.
 *
 * @example resolveVariable('$actor.id', { actor, today, now }); // 7
 */
export function resolveVariable(variable: string, evaluationContext: EvaluationContext): unknown {
  const relative = parseRelativeTime(variable);
  if (relative?.root === 'today') return shiftDay(evaluationContext.today, relative);
  if (relative) return shiftInstant(evaluationContext.now, relative);
  const [root, name] = variable.slice(1).split('.', 2) as [keyof EvaluationContext, string | undefined];
  const value: unknown = evaluationContext[root];
  if (name === undefined) return value ?? unresolved;
  if (typeof value !== 'object') return unresolved;
  if (root === 'actor' && name === 'lists') return listableModules((value as EvaluationContext['actor'])?.permissions);
  const property = (value as ResourceRecord)[name];
  return property === undefined ? unresolved : unwrapId(property);
}

/** The modules that a role can list, by its grants. Level 1 lists all of them without a grant. */
function listableModules(permissions: ActorValues['permissions']): readonly string[] | typeof unresolved {
  if (!permissions) return unresolved;
  return Object.keys(permissions).filter((module) => propertyOf(permissions, module).includes('list'));
}

/**
 * The id of a related record; any other value unchanged.
 *
 * @example unwrapId({ id: 7, name: 'Website' }); // 7
 */
export function unwrapId(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && 'id' in value) return value.id;
  return value;
}

/** The operands that a statement writes for variables, instead of their values. */
export interface VariableOperands {
  /** On the right of a comparison: the value itself, or what stands for it. */
  right(variable: string, value: unknown): unknown;
  /** On the left: undefined for a comparison whose result is known now. */
  left(variable: string, value: unknown): object | undefined;
  /** The zone in which instants have their days. */
  readonly zone: unknown;
}

/**
 * Replaces variables on the right by their values, and comparisons with a variable on the left by their result. A
 * comparison with an unresolved variable is never true, not even `$ne`, and neither is its negation: a rule must not
 * open access by accident. With `operands`, for a statement, variables with a value may stay in the predicate.
 *
 * @example resolveVariables(predicateOf({ created_by: '$actor.id' }), evaluationContext, compareValues);
 */
export function resolveVariables(
  predicate: Predicate,
  evaluationContext: EvaluationContext,
  compare: CompareFunction,
  operands?: VariableOperands,
  negated = false,
): Predicate {
  const resolve = (part: Predicate, isNegated = negated) =>
    resolveVariables(part, evaluationContext, compare, operands, isNegated);
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return { kind: predicate.kind, of: predicate.of.map((part) => resolve(part)) };
    case 'not':
      return { kind: 'not', of: resolve(predicate.of, !negated) };
    case 'some': {
      const testResult = evaluationContext.related?.get(predicate);
      if (testResult !== undefined) return testResult ? truePredicate : falsePredicate;
      return { kind: 'some', field: predicate.field, of: resolve(predicate.of) };
    }
    case 'compare': {
      const right = resolveRight(predicate.right, evaluationContext);
      if (right === unresolved) return negated ? truePredicate : falsePredicate;
      const rightOperand = operands ? resolveRight(predicate.right, evaluationContext, operands) : right;
      const { timeZone } = evaluationContext;
      const zone = [right].flat().some(isDay) && timeZone !== undefined && { zone: operands?.zone ?? timeZone };
      if (!isVariable(predicate.left)) return { ...predicate, right: rightOperand, ...zone };
      const left = resolveVariable(predicate.left, evaluationContext);
      if (left === unresolved) return negated ? truePredicate : falsePredicate;
      const computedOperand = operands?.left(predicate.left, left);
      if (computedOperand) return { ...predicate, right: rightOperand, computed: computedOperand, ...zone };
      return compare(left, predicate.operator, right, timeZone) ? truePredicate : falsePredicate;
    }
  }
}

type CompareFunction = (
  left: unknown,
  operator: Extract<Predicate, { kind: 'compare' }>['operator'],
  right: unknown,
  timeZone?: string,
) => boolean;

function isDay(value: unknown): boolean {
  return typeof value === 'string' && isDate(value);
}

function resolveRight(right: unknown, evaluationContext: EvaluationContext, operands?: VariableOperands): unknown {
  const resolveOne = (operand: unknown): unknown => {
    if (!isVariable(operand)) return operand;
    const value = resolveVariable(operand, evaluationContext);
    return operands && value !== unresolved ? operands.right(operand, value) : value;
  };
  if (!Array.isArray(right)) return resolveOne(right);
  const values = right.map(resolveOne);
  return values.includes(unresolved) ? unresolved : values;
}

export const truePredicate: Predicate = { kind: 'all', of: [] };
export const falsePredicate: Predicate = { kind: 'any', of: [] };
