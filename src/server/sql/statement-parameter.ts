import { compareValues, predicateOf } from '../../engine/conditions/match-condition';
import type { Predicate } from '../../engine/conditions/grammar';
import { resolveVariables, type EvaluationContext, type VariableOperands } from '../../engine/conditions/variables';
import type { Condition } from '../../engine/definitions/definition';
import type { ColumnType } from '../../engine/field-types';
import { isDate } from '../../engine/formats/dates';
import { isStorable } from '../../engine/values/storable';
import { propertyOf } from '../../engine/values/lookups';

/** Kinds of values that one SQL text serves, whatever the value is. */
type ValueKind = 'integer' | 'number' | 'day' | 'instant' | 'text';

/**
 * A value in a predicate or an expression that a statement has as a parameter: the day, the time, the zone, or something
 * about the caller or the record. Statements are cached by its name and kind and get the value of each request. A
 * statement that is not cached is run with the value itself.
 */
export class StatementParameter {
  constructor(
    /** `$today+7d`, `$actor.id`; of the viewer, while viewing as another user: `viewer $actor.id`. */
    readonly name: string,
    readonly value: string | number,
    readonly kind: ValueKind,
  ) {}

  /** The driver sends the value. */
  toPostgres(): string | number {
    return this.value;
  }

  /** JSON has the value, so that whatever is remembered by it differs with it; `shapeOf` leaves it out. */
  toJSON(): string | number {
    return this.value;
  }
}

/** The parameter of a value; the value itself if the SQL depends on it: no value, yes or no, a list. */
export function parameterOf(name: string, value: unknown): unknown {
  const kind = kindOf(value);
  return kind ? new StatementParameter(name, value as string | number, kind) : value;
}

/** The value that a parameter has; any other value unchanged. */
export function valueOf(value: unknown): unknown {
  return value instanceof StatementParameter ? value.value : value;
}

function kindOf(value: unknown): ValueKind | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined;
    return Number.isSafeInteger(value) ? 'integer' : 'number';
  }
  if (typeof value !== 'string' || !isStorable(value)) return undefined;
  return isDate(value) ? 'day' : isInstant(value) ? 'instant' : 'text';
}

/** Whether a value is an instant as responses have it, which PostgreSQL can read. */
export function isInstant(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const instant = new Date(value);
  return !Number.isNaN(instant.getTime()) && instant.getUTCFullYear() > 0;
}

/** The type that a parameter has where it stands alone, as the left side of a comparison. */
export const columnTypes: Readonly<Record<ValueKind, ColumnType>> = {
  integer: 'bigint',
  number: 'double precision',
  day: 'date',
  instant: 'timestamptz(3)',
  text: 'text',
};

/** Precedes the names of the parameters of whoever views as another user. */
export const viewerPrefix = 'viewer ';

/** The values of variables, and whose they are if not the caller's own. */
export type VariableContext = EvaluationContext & {
  /** `viewerPrefix`, or nothing. */
  readonly parameterPrefix?: string;
};

/** The parameter of something about an actor. */
export function actorParameter(name: 'id' | 'site_id', value: number | null, prefix = ''): unknown {
  return parameterOf(`${prefix}$actor.${name}`, value);
}

/** The parameter of the day in an evaluation context. */
export function todayParameter({ today, parameterPrefix = '' }: VariableContext): StatementParameter {
  return new StatementParameter(`${parameterPrefix}$today`, today, 'day');
}

/** The name of the parameter with the zone in which instants have their days. */
export const zoneParameterName = '$zone';

/** The parameter of the zone, as texts of PostgreSQL name it. */
export function zoneParameter({ timeZone = 'UTC', parameterPrefix = '' }: VariableContext): StatementParameter {
  return new StatementParameter(`${parameterPrefix}${zoneParameterName}`, toZoneText(timeZone), 'text');
}

/** A zone in the form of `at time zone`: PostgreSQL reads the sign of an offset the other way round in texts. */
export function toZoneText(timeZone: string): string {
  const signs: Readonly<Record<string, string>> = { '+': '-', '-': '+' };
  return timeZone.replace(/^[+-]/, (sign) => propertyOf(signs, sign));
}

/** Variables that are equal for all callers with one key of statements: compared at once, so that PostgreSQL plans without them. */
const constantVariables = /^\$(actor\.(level|role|roles|lists)|record|form)\b/;

function operandsOf(context: VariableContext): VariableOperands {
  const { parameterPrefix = '' } = context;
  return {
    zone: zoneParameter(context),
    right: (variable, value) => parameterOf(`${parameterPrefix}${variable}`, value),
    left(variable, value) {
      if (constantVariables.test(variable)) return undefined;
      const parameter = parameterOf(`${parameterPrefix}${variable}`, value);
      return parameter instanceof StatementParameter ? parameter : undefined;
    },
  };
}

/**
 * A predicate with its variables resolved for a statement: those with a value become parameters.
 *
 * @example resolvePredicate(predicateOf({ due: { $lt: '$today' } }), context.evaluationContext);
 */
export function resolvePredicate(predicate: Predicate, context: VariableContext): Predicate {
  return resolveVariables(predicate, context, compareValues, operandsOf(context));
}

/** As `resolvePredicate`, of a condition as it is written. */
export function resolveCondition(condition: Condition, context: VariableContext): Predicate {
  return resolvePredicate(predicateOf(condition), context);
}

/**
 * The text of a predicate, or of something else that statements are made of, without the values of its parameters: two
 * with one text make one statement.
 */
export function shapeOf(value: unknown): string {
  if (value instanceof StatementParameter) return `<${value.name} ${value.kind}>`;
  if (Array.isArray(value)) return `[${value.map(shapeOf).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const parts = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${shapeOf(inner)}`);
  return `{${parts.join()}}`;
}

/** Whether a predicate has the day or the time among its parameters, whose values are others in the next request. */
export function hasTime(value: unknown): boolean {
  if (value instanceof StatementParameter) return /\$(today|now)\b/.test(value.name);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasTime);
}
