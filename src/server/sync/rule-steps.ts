import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field, FieldOf, Condition } from '../../engine/definitions/definition';
import { rowColumns } from '../../engine/definitions/row-definition';
import { joinPointer } from '../../engine/definitions/problems';
import { columnTypeOf, fieldTypeOf, type ValueSchema } from '../../engine/field-types';
import type { PlanStep } from '../../engine/studio/module';
import { renamedValues } from './renamed-values';
import type { RowQueries } from './row-queries';
import { conversion } from './conversion';
import { quoteIdentifier, qualifiedTable } from './target-schema';
import type { StoredTable } from './plan-renames';
import { predicateOf } from '../../engine/conditions/match-condition';
import { isVariable, type Predicate } from '../../engine/conditions/grammar';
import type { Registry } from '../../engine/definitions/registry';
import { predicateToSql } from '../sql/predicate-to-sql';
import { parsePattern } from '../../engine/patterns/parse-pattern';
import { postgres, writePattern } from '../../engine/patterns/write-pattern';

/** A rule checked against stored rows, and its path in the definition. */
export interface RuleStep {
  readonly path: string;
  readonly step: PlanStep;
}

interface CountedRule {
  readonly rule: Omit<FieldRule, 'key'>;
  readonly path: string;
  /** The rows to count in, as an SQL `from` item. */
  readonly from: string;
  /** Reported even if no row violates it. */
  readonly always: boolean;
}

/**
 * The rules of a definition that are new or stricter than before, with the stored rows that violate them. Archived rows
 * count, since they can be restored; deleted rows that are kept for their name do not.
 */
export async function planRuleSteps(
  before: Definition | undefined,
  place: RuleContext,
  stored: StoredTable,
  rowQueries: RowQueries,
): Promise<RuleStep[]> {
  const { definition } = place;
  const ofFields = Object.values(definition.fields).flatMap((field) => stricterRules(field, before, place, stored));
  const rules = [...ofFields, ...stricterValidation(before, place)].map((one) =>
    place.rowsField ? { ...one, rule: { ...one.rule, text: `${place.rowsField.label}: ${one.rule.text}` } } : one,
  );
  if (rules.length === 0) return [];
  const where = (from: string) => (from === place.from ? notDeletedSql(definition, stored) : sql`true`);
  const rows = new Map<CountedRule, number | undefined>();
  for (const from of new Set(rules.map((one) => one.from))) {
    const asked = rules.filter((one) => one.from === from && one.rule.violation);
    if (asked.length === 0) continue;
    const counts = asked.map(
      ({ rule }, index) => sql`count(*) filter (where ${rule.violation!}) as ${sql.id(`r${index}`)}`,
    );
    const row = await rowQueries.row(sql`select ${sql.join(counts)} from ${sql.raw(from)} t where ${where(from)}`);
    asked.forEach((one, index) => rows.set(one, row?.[`r${index}`] as number | undefined));
  }
  const steps: RuleStep[] = [];
  for (const one of rules) {
    const count = rows.get(one);
    if (count === 0 && !one.always) continue;
    const record = sql.id('t', place.rowsField ? rowColumns.parent : rowColumns.id);
    const broken = sql`select distinct ${record} as id from ${sql.raw(one.from)} t
      where ${where(one.from)} and ${one.rule.violation ?? sql`false`}`;
    const records = count === undefined || count === 0 ? undefined : await rowQueries.ids(broken);
    const text = `${one.rule.text}: ${describeCount(count, place)}.`;
    const step: PlanStep = {
      kind: 'rule',
      text,
      sql: '',
      destructive: false,
      rows: count ?? 0,
      ...(records && { records }),
    };
    steps.push({ path: one.path, step });
  }
  return steps;
}

function stricterRules(
  field: Field,
  before: Definition | undefined,
  place: RuleContext,
  stored: StoredTable,
): CountedRule[] {
  if (field.system || field.computed !== undefined || field.readOnly) return [];
  const former = before?.fields[field.name] ?? before?.fields[field.formerName ?? ''];
  const storedColumn = stored.columns.get(field.name);
  const type = columnTypeOf(field);
  const value = sql.id('t', field.name);
  const count = (
    rule: FieldRule,
    from = place.from,
    always = former !== undefined && !rule.isImplied,
  ): CountedRule => ({
    rule,
    path: joinPointer(
      place.rowsField ? joinPointer('/fields', place.rowsField.name, 'fields') : '/fields',
      field.name,
      rule.key,
    ),
    from,
    always,
  });
  if (type === null) return [];
  const presence = stricterPresence(field, former, value, place).map((rule) => count(rule, place.from, true));
  if (!storedColumn) return presence;
  const others = [...stricterValues(field, former, value), ...stricterOrder(field, former, value, place)];
  const found = [...presence, ...others.map((rule) => count(rule))];
  if (storedColumn.type === type) return found;
  const { lossCondition, lossless } = conversion(storedColumn.type, type, `t.${quoteIdentifier(storedColumn.name)}`);
  if (lossless) return found;
  const text = `${field.label} keeps only values that can be converted to its new type`;
  return [
    ...found,
    count({ key: 'type', text, violation: sql.raw(`(${lossCondition})`) }, qualifiedTable(stored.table), false),
  ];
}

/** The validation rules that are new or changed. */
function stricterValidation(before: Definition | undefined, place: RuleContext): CountedRule[] {
  return place.definition.validate.flatMap((rule, index): CountedRule[] => {
    const { condition, where, message } = rule;
    const isKnown = before?.validate.some((one) => isSameJson([one.condition, one.where], [condition, where]));
    if (isKnown) return [];
    const asked = where ? conditionSql(where, place) : sql`true`;
    const broken = conditionSql({ $not: condition }, place);
    const violation = asked && broken && sql`${asked} and ${broken}`;
    return [
      {
        rule: { text: message.replace(/\.$/, ''), violation },
        path: `/validate/${index}`,
        from: place.from,
        always: true,
      },
    ];
  });
}

function notDeletedSql(definition: Definition, stored: StoredTable): RawBuilder<unknown> {
  return definition.delete.keep && stored.columns.has('deleted_at') ? sql`t.deleted_at is null` : sql`true`;
}

function describeCount(count: number | undefined, { definition: { labels }, rowsField }: RuleContext): string {
  if (count === undefined) return 'counting the stored records that violate it took too long';
  if (rowsField) {
    if (count === 0) return 'no stored row violates it';
    return `${count} stored ${count === 1 ? 'row violates' : 'rows violate'} it`;
  }
  const name = (count === 1 ? labels.one : labels.many).toLowerCase();
  if (count === 0) return 'no stored record violates it';
  return `${count} stored ${name} ${count === 1 ? 'violates' : 'violate'} it`;
}

/** The context in which rule violations are counted; `t` is the future rows. */
export interface RuleContext {
  readonly definition: Definition;
  readonly registry: Registry;
  /** The future rows, as an SQL `from` item. */
  readonly from: string;
  /** The field whose rows these are; `definition` is then that of the rows. */
  readonly rowsField?: FieldOf<'rows'>;
}

/** Rules that require a value which was optional before. */
function stricterPresence(
  field: Field,
  before: Field | undefined,
  value: RawBuilder<unknown>,
  place: RuleContext,
): FieldRule[] {
  const shown = field.visible ? conditionSql(field.visible, place) : sql`true`;
  const none = sql`(${value} is null or ${value}::text = '')`;
  const missing = shown && sql`${none} and ${shown}`;
  const { label } = field;
  if (field.required)
    return before?.required ? [] : [{ key: 'required', text: `${label} must be filled in`, violation: missing }];
  if (field.requiredInForm && !before?.requiredInForm)
    return [{ key: 'required', text: `The form asks for ${label}`, violation: missing }];
  if (!field.requiredWhen || isSameJson(field.requiredWhen, before?.requiredWhen)) return [];
  const wanted = conditionSql(field.requiredWhen, place);
  const broken = missing && wanted && sql`${missing} and ${wanted}`;
  return [{ key: 'required', text: `${label} must be filled in under a condition`, violation: broken }];
}

/** Rules on the order of two values, on future dates and on nesting depth that are new or stricter. */
function stricterOrder(
  field: Field,
  before: Field | undefined,
  value: RawBuilder<unknown>,
  place: RuleContext,
): FieldRule[] {
  const { fields } = place.definition;
  const found: FieldRule[] = [];
  const other = (name: string) => {
    const column = sql.id('t', name);
    return columnTypeOf(field) === 'text' ? sql`${column} collate "C"` : column;
  };
  if (field.notBefore !== undefined && field.notBefore !== before?.notBefore) {
    const text = `${field.label} must not be before ${fields[field.notBefore]?.label ?? field.notBefore}`;
    found.push({ key: 'notBefore', text, violation: sql`${value} < ${other(field.notBefore)}` });
  }
  if (field.laterThan !== undefined && field.laterThan !== before?.laterThan) {
    const text = `${field.label} must be after ${fields[field.laterThan]?.label ?? field.laterThan}`;
    found.push({ key: 'after', text, violation: sql`${value} <= ${other(field.laterThan)}` });
  }
  if (field.maxDate !== undefined && before?.maxDate === undefined)
    found.push({
      key: 'notAfter',
      text: `${field.label} cannot be in the future`,
      violation: sql`${value} > current_date`,
    });
  if (field.maxDepth !== undefined && field.maxDepth < (before?.maxDepth ?? Infinity))
    found.push({
      key: 'maxDepth',
      text: `${place.definition.labels.many} can be nested at most ${field.maxDepth} levels deep`,
      violation: tooDeepSql(field, field.maxDepth, place),
    });
  return found;
}

/** Matches rows nested deeper than allowed; follows parents only as far as needed. */
function tooDeepSql({ name }: Field, maxDepth: number, { from }: RuleContext): RawBuilder<unknown> {
  const above = quoteIdentifier(name);
  return sql.raw(`t.id in (with recursive up(id, parent, height) as (
    select id, ${above}, 1 from ${from} a
    union all select up.id, b.${above}, up.height + 1 from up join ${from} b on b.id = up.parent where up.height <= ${maxDepth})
    select id from up where height > ${maxDepth})`);
}

/** A condition on the future rows in SQL; undefined if only a form could evaluate it. */
function conditionSql(condition: Condition, { definition, registry }: RuleContext): RawBuilder<unknown> | undefined {
  const predicate = toRecordPredicate(predicateOf(condition));
  try {
    return predicate && sql`(${predicateToSql(predicate, definition, 't', registry, null)}) is true`;
  } catch {
    return undefined;
  }
}

/**
 * `$form.status` on the left is the record's own field. Any other variable of a form or its user is unknown here:
 * undefined.
 */
function toRecordPredicate(predicate: Predicate): Predicate | undefined {
  if (predicate.kind === 'compare') {
    const left = /^\$(?:form|record)\.(\w+)$/.exec(predicate.left)?.[1] ?? predicate.left;
    const rights = Array.isArray(predicate.right) ? (predicate.right as unknown[]) : [predicate.right];
    return isVariable(left) || rights.some(isVariable) ? undefined : { ...predicate, left };
  }
  if (predicate.kind === 'not' || predicate.kind === 'some') {
    const of = toRecordPredicate(predicate.of);
    return of && { ...predicate, of };
  }
  const parts = predicate.of.map(toRecordPredicate);
  return parts.includes(undefined) ? undefined : { ...predicate, of: parts as Predicate[] };
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

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
function stricterValues(field: Field, before: Field | undefined, value: RawBuilder<unknown>): FieldRule[] {
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
  const renamed = renamedValues(field, before).map(({ from }) => from);
  return [...found, ...removedOptions(field, now as ValueSchema, former as ValueSchema, value, renamed)];
}

function removedOptions(
  { label, multiple }: Field,
  { items: nowEach, ...nowWhole }: ValueSchema,
  { items: formerEach, ...formerWhole }: ValueSchema,
  value: RawBuilder<unknown>,
  renamed: readonly (string | number)[],
): FieldRule[] {
  const [now, before] = [nowEach ?? nowWhole, formerEach ?? formerWhole];
  if (!now.enum) return [];
  const gone = before.enum?.filter((one) => !now.enum!.includes(one) && !renamed.includes(one)) ?? [];
  if (before.enum && gone.length === 0) return [];
  const names = gone
    .slice(0, 8)
    .map((one) => JSON.stringify(one))
    .join(', ');
  const text = before.enum
    ? `${label} no longer offers ${names}${gone.length > 8 ? ', …' : ''}`
    : `${label} only allows certain values`;
  const offered = sql.join(now.enum.map((one) => sql`${one}`));
  if (multiple) return [{ key: 'options', text, violation: sql`not (${value} <@ array[${offered}])` }];
  return [{ key: 'options', text, violation: sql`${value} not in (${offered})` }];
}

/** A pattern of a definition in PostgreSQL's syntax; undefined if PostgreSQL can't express it. */
export function patternForDatabase(pattern: string): string | undefined {
  return writePattern(parsePattern(pattern), postgres);
}
