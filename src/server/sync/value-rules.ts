import { sql, type RawBuilder } from 'kysely';
import type { Field } from '../../engine/definitions/definition';
import { fieldTypeOf, type ValueSchema } from '../../engine/field-types';
import { patternForDatabase } from './patterns';

/** A rule of a field, and which rows violate it. */
export interface FieldRule {
  /** The field property that defines it. */
  readonly key: string;
  /** The rule as a sentence without the final period. */
  readonly text: string;
  /** A condition that matches rows violating it; undefined if SQL can't express it. */
  readonly violation: RawBuilder<unknown> | undefined;
  /** It follows from the type alone and is only reported if rows violate it. */
  readonly isImplied?: boolean;
}

type RuleWriter = (field: Field, limit: never, value: RawBuilder<unknown>) => Omit<FieldRule, 'key'>;

const rules: Readonly<Record<string, RuleWriter>> = {
  minLength: ({ label }, limit: number, value) => ({
    text: `${label} must have at least ${limit} characters`,
    violation: sql`char_length(${value}::text) < ${limit}`,
  }),
  maxLength: ({ label }, limit: number, value) => ({
    text: `${label} must have at most ${limit} characters`,
    violation: sql`char_length(${value}::text) > ${limit}`,
  }),
  minimum: ({ label }, limit: number, value) => ({
    text: `${label} must be at least ${limit}`,
    violation: sql`${value} < ${limit}::double precision`,
  }),
  maximum: ({ label }, limit: number, value) => ({
    text: `${label} must be at most ${limit}`,
    violation: sql`${value} > ${limit}::double precision`,
  }),
  pattern: ({ label }, pattern: string, value) => {
    const written = patternForDatabase(pattern);
    const broken = written === undefined ? undefined : sql`${value}::text !~ ${written}`;
    return { text: `${label} must have the form ${pattern}`, violation: broken };
  },
  format: ({ label }, format: string, value) => {
    const pattern = formats[format];
    return {
      text: `${label} must be ${formatNames[format] ?? `a ${format}`}`,
      violation: pattern === undefined ? sql`false` : sql`${value}::text !~ ${pattern}`,
      isImplied: pattern === undefined,
    };
  },
};

const formatNames: Readonly<Record<string, string>> = {
  email: 'an email address',
  uri: 'a web address',
  time: 'a time such as 14:30',
};

/** The same formats as in `engine/validation/formats`. Dates and instants have column types of their own. */
const formats: Readonly<Record<string, string>> = {
  email:
    "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?([.][A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+$",
  uri: '(?i)^(https?://)?(localhost|[[:alpha:][:digit:]-]{1,63}([.][[:alpha:][:digit:]-]{1,63})+)(:[0-9]{1,5})?([/?#]\\S*)?$',
  time: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
};

const fieldKeys: Readonly<Record<string, string>> = { minimum: 'min', maximum: 'max', format: 'type' };
const isStricter: Readonly<Record<string, (now: never, before: never) => boolean>> = {
  minLength: (now: number, before: number) => now > before,
  maxLength: (now: number, before: number) => now < before,
  minimum: (now: number, before: number) => now > before,
  maximum: (now: number, before: number) => now < before,
};

/** The rules on a field's single values that are new or stricter than before. */
export function stricterValues(field: Field, before: Field | undefined, value: RawBuilder<unknown>): FieldRule[] {
  const type = fieldTypeOf(field);
  // Stored passwords are hashes.
  if (type.isHashed || type.column === null || type.column === 'jsonb') return [];
  const now = type.schema(field) as Readonly<Record<string, unknown>>;
  const former = (before ? fieldTypeOf(before).schema(before) : {}) as Readonly<Record<string, unknown>>;
  const found = Object.entries(rules).flatMap(([name, rule]): FieldRule[] => {
    const [limit, was] = [now[name], former[name]];
    if (limit === undefined || limit === was) return [];
    if (was !== undefined && !(isStricter[name]?.(limit as never, was as never) ?? true)) return [];
    const key = fieldKeys[name] ?? name;
    return [{ key, isImplied: key !== 'type' && !(key in field), ...rule(field, limit as never, value) }];
  });
  return [...found, ...removedOptions(field, now as ValueSchema, former as ValueSchema, value)];
}

function removedOptions(
  { label }: Field,
  now: ValueSchema,
  before: ValueSchema,
  value: RawBuilder<unknown>,
): FieldRule[] {
  if (!now.enum) return [];
  const gone = before.enum?.filter((one) => !now.enum!.includes(one)) ?? [];
  if (before.enum && gone.length === 0) return [];
  const names = gone
    .slice(0, 8)
    .map((one) => JSON.stringify(one))
    .join(', ');
  const text = before.enum
    ? `${label} no longer offers ${names}${gone.length > 8 ? ', …' : ''}`
    : `${label} only allows certain values`;
  return [{ key: 'options', text, violation: sql`${value} not in (${sql.join(now.enum.map((one) => sql`${one}`))})` }];
}
