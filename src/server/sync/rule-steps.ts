import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field, FieldOf, Condition } from '../../engine/definitions/definition';
import { rowColumns } from '../../engine/field-types/row-definition';
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
import type { Registry } from '../../engine/registry/registry';
import { predicateToSql } from '../sql/predicate-to-sql';
import { parsePattern } from '../../engine/patterns/parse-pattern';
import { postgres, writePattern } from '../../engine/patterns/write-pattern';
import { requireValue } from '../../engine/values/lookups';

/** A rule checked against stored rows, and its path in the definition. */
export interface RuleStep {
  readonly path: string;
  readonly step: PlanStep;
}

interface CountedRule {
  readonly rule: Omit<FieldRule, 'key'>;
  readonly path: string;
  /** The rows to count in, as an SQL `from` item. */
  readonly fromItem: string;
  /** Reported even if no row violates it. */
  readonly isAlwaysReported: boolean;
}

/**
 * The rules of a definition that are new or stricter than before, with the stored rows that violate them. Archived rows
 * count, since they can be restored; deleted rows that are kept for their name do not.
 */
export async function planRuleSteps(
  previousDefinition: Definition | undefined,
  context: RuleContext,
  storedTable: StoredTable,
  rowQueries: RowQueries,
): Promise<RuleStep[]> {
  const { definition } = context;
  const ofFields = Object.values(definition.fields).flatMap((field) =>
    stricterRules(field, previousDefinition, context, storedTable),
  );
  const rules = [...ofFields, ...stricterValidation(previousDefinition, context)].map((countedRule) =>
    context.rowsField
      ? { ...countedRule, rule: { ...countedRule.rule, text: `${context.rowsField.label}: ${countedRule.rule.text}` } }
      : countedRule,
  );
  if (rules.length === 0) return [];
  const rowCondition = (rowsSql: string) =>
    rowsSql === context.rowsSql ? notDeletedSql(definition, storedTable) : sql`true`;
  const rows = new Map<CountedRule, number | undefined>();
  for (const rowsSql of new Set(rules.map((countedRule) => countedRule.fromItem))) {
    const violationRules = rules.filter(
      (countedRule) => countedRule.fromItem === rowsSql && countedRule.rule.violation,
    );
    if (violationRules.length === 0) continue;
    const counts = violationRules.map(
      ({ rule }, index) =>
        sql`count(*) filter (where ${requireValue(rule.violation, 'the violation of a rule')}) as ${sql.id(`r${index}`)}`,
    );
    const row = await rowQueries.row(
      sql`select ${sql.join(counts)} from ${sql.raw(rowsSql)} t where ${rowCondition(rowsSql)}`,
    );
    violationRules.forEach((countedRule, index) => rows.set(countedRule, row?.[`r${index}`] as number | undefined));
  }
  const steps: RuleStep[] = [];
  for (const countedRule of rules) {
    const count = rows.get(countedRule);
    if (count === 0 && !countedRule.isAlwaysReported) continue;
    const record = sql.id('t', context.rowsField ? rowColumns.parent : rowColumns.id);
    const violatingRows = sql`select distinct ${record} as id from ${sql.raw(countedRule.fromItem)} t
      where ${rowCondition(countedRule.fromItem)} and ${countedRule.rule.violation ?? sql`false`}`;
    const records = count === undefined || count === 0 ? undefined : await rowQueries.ids(violatingRows);
    const text = `${countedRule.rule.text}: ${describeCount(count, context)}.`;
    const step: PlanStep = {
      kind: 'rule',
      text,
      sql: '',
      destructive: false,
      rows: count ?? 0,
      ...(records && { records }),
    };
    steps.push({ path: countedRule.path, step });
  }
  return steps;
}

function stricterRules(
  field: Field,
  previousDefinition: Definition | undefined,
  context: RuleContext,
  storedTable: StoredTable,
): CountedRule[] {
  if (field.system || field.computed !== undefined || field.readOnly) return [];
  const previousField = previousDefinition?.fields[field.name] ?? previousDefinition?.fields[field.formerName ?? ''];
  const storedColumn = storedTable.columns.get(field.name);
  const type = columnTypeOf(field);
  const value = sql.id('t', field.name);
  const count = (
    rule: FieldRule,
    rowsSql = context.rowsSql,
    isRequired = previousField !== undefined && !rule.isImplied,
  ): CountedRule => ({
    rule,
    path: joinPointer(
      context.rowsField ? joinPointer('/fields', context.rowsField.name, 'fields') : '/fields',
      field.name,
      rule.key,
    ),
    fromItem: rowsSql,
    isAlwaysReported: isRequired,
  });
  if (type === null) return [];
  const presence = stricterPresence(field, previousField, value, context).map((rule) =>
    count(rule, context.rowsSql, true),
  );
  if (!storedColumn) return presence;
  const otherRules = [
    ...stricterValues(field, previousField, value),
    ...stricterOrder(field, previousField, value, context),
  ];
  const countedRules = [...presence, ...otherRules.map((rule) => count(rule))];
  if (storedColumn.type === type) return countedRules;
  const { lossCondition, lossless } = conversion(storedColumn.type, type, `t.${quoteIdentifier(storedColumn.name)}`);
  if (lossless) return countedRules;
  const text = `${field.label} keeps only values that can be converted to its new type`;
  return [
    ...countedRules,
    count({ key: 'type', text, violation: sql.raw(`(${lossCondition})`) }, qualifiedTable(storedTable.table), false),
  ];
}

/** The validation rules that are new or changed. */
function stricterValidation(previousDefinition: Definition | undefined, context: RuleContext): CountedRule[] {
  return context.definition.validate.flatMap((rule, index): CountedRule[] => {
    const { condition, where: rowCondition, message } = rule;
    const isKnown = previousDefinition?.validate.some((rule) =>
      isSameJson([rule.condition, rule.where], [condition, rowCondition]),
    );
    if (isKnown) return [];
    const appliesSql = rowCondition ? conditionSql(rowCondition, context) : sql`true`;
    const violationSql = conditionSql({ $not: condition }, context);
    const violation = appliesSql && violationSql && sql`${appliesSql} and ${violationSql}`;
    return [
      {
        rule: { text: message.replace(/\.$/, ''), violation },
        path: `/validate/${index}`,
        fromItem: context.rowsSql,
        isAlwaysReported: true,
      },
    ];
  });
}

function notDeletedSql(definition: Definition, storedTable: StoredTable): RawBuilder<unknown> {
  return definition.delete.keep && storedTable.columns.has('deleted_at') ? sql`t.deleted_at is null` : sql`true`;
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
  readonly rowsSql: string;
  /** The field whose rows these are; `definition` is then that of the rows. */
  readonly rowsField?: FieldOf<'rows'>;
}

/** Rules that require a value which was optional before. */
function stricterPresence(
  field: Field,
  previousField: Field | undefined,
  value: RawBuilder<unknown>,
  context: RuleContext,
): FieldRule[] {
  const visibleSql = field.visible ? conditionSql(field.visible, context) : sql`true`;
  const isEmptySql = sql`(${value} is null or ${value}::text = '')`;
  const missingSql = visibleSql && sql`${isEmptySql} and ${visibleSql}`;
  const { label } = field;
  if (field.required)
    return previousField?.required
      ? []
      : [{ key: 'required', text: `${label} must be filled in`, violation: missingSql }];
  if (field.requiredInForm && !previousField?.requiredInForm)
    return [{ key: 'required', text: `The form asks for ${label}`, violation: missingSql }];
  if (!field.requiredWhen || isSameJson(field.requiredWhen, previousField?.requiredWhen)) return [];
  const requiredSql = conditionSql(field.requiredWhen, context);
  const violationSql = missingSql && requiredSql && sql`${missingSql} and ${requiredSql}`;
  return [{ key: 'required', text: `${label} must be filled in under a condition`, violation: violationSql }];
}

/** Rules on the order of two values, on future dates and on nesting depth that are new or stricter. */
function stricterOrder(
  field: Field,
  previousField: Field | undefined,
  value: RawBuilder<unknown>,
  context: RuleContext,
): FieldRule[] {
  const { fields } = context.definition;
  const fieldRules: FieldRule[] = [];
  const otherColumn = (name: string) => {
    const column = sql.id('t', name);
    return columnTypeOf(field) === 'text' ? sql`${column} collate "C"` : column;
  };
  if (field.notBefore !== undefined && field.notBefore !== previousField?.notBefore) {
    const text = `${field.label} must not be before ${fields[field.notBefore]?.label ?? field.notBefore}`;
    fieldRules.push({ key: 'notBefore', text, violation: sql`${value} < ${otherColumn(field.notBefore)}` });
  }
  if (field.laterThan !== undefined && field.laterThan !== previousField?.laterThan) {
    const text = `${field.label} must be after ${fields[field.laterThan]?.label ?? field.laterThan}`;
    fieldRules.push({ key: 'after', text, violation: sql`${value} <= ${otherColumn(field.laterThan)}` });
  }
  if (field.maxDate !== undefined && previousField?.maxDate === undefined)
    fieldRules.push({
      key: 'notAfter',
      text: `${field.label} cannot be in the future`,
      violation: sql`${value} > current_date`,
    });
  if (field.maxDepth !== undefined && field.maxDepth < (previousField?.maxDepth ?? Infinity))
    fieldRules.push({
      key: 'maxDepth',
      text: `${context.definition.labels.many} can be nested at most ${field.maxDepth} levels deep`,
      violation: tooDeepSql(field, field.maxDepth, context),
    });
  return fieldRules;
}

/** Matches rows nested deeper than allowed; follows parents only as far as needed. */
function tooDeepSql({ name }: Field, maxDepth: number, { rowsSql }: RuleContext): RawBuilder<unknown> {
  const parentColumn = quoteIdentifier(name);
  return sql.raw(`t.id in (with recursive up(id, parent, height) as (
    select id, ${parentColumn}, 1 from ${rowsSql} a
    union all select up.id, b.${parentColumn}, up.height + 1 from up join ${rowsSql} b on b.id = up.parent where up.height <= ${maxDepth})
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
    const recordPredicate = toRecordPredicate(predicate.of);
    return recordPredicate && { ...predicate, of: recordPredicate };
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
    const databasePattern = patternForDatabase(pattern);
    const violationSql = databasePattern === undefined ? undefined : sql`${value}::text !~ ${databasePattern}`;
    return { text: `${label} must have the form ${pattern}`, violation: violationSql };
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
  minLength: (now: number, previous: number) => now > previous,
  maxLength: (now: number, previous: number) => now < previous,
  minimum: (now: number, previous: number) => now > previous,
  maximum: (now: number, previous: number) => now < previous,
};

/** The rules on a field's single values that are new or stricter than before. */
function stricterValues(field: Field, previousField: Field | undefined, value: RawBuilder<unknown>): FieldRule[] {
  const type = fieldTypeOf(field);
  // Stored passwords are hashes.
  if (type.isHashed || type.column === null || type.column === 'jsonb') return [];
  const now = type.schema(field) as Readonly<Record<string, unknown>>;
  const previousSchema = (previousField ? fieldTypeOf(previousField).schema(previousField) : {}) as Readonly<
    Record<string, unknown>
  >;
  const fieldRules = Object.entries(rules).flatMap(([name, rule]): FieldRule[] => {
    const [limit, previousLimit] = [now[name], previousSchema[name]];
    if (limit === undefined || limit === previousLimit) return [];
    if (previousLimit !== undefined && !(isStricter[name]?.(limit as never, previousLimit as never) ?? true)) return [];
    const key = fieldKeys[name] ?? name;
    return [{ key, isImplied: key !== 'type' && !(key in field), ...rule(field, limit as never, value) }];
  });
  const renamedOptions = renamedValues(field, previousField).map(({ formerValue }) => formerValue);
  return [
    ...fieldRules,
    ...removedOptions(field, now as ValueSchema, previousSchema as ValueSchema, value, renamedOptions),
  ];
}

function removedOptions(
  { label, multiple }: Field,
  { items: nowEach, ...nowWhole }: ValueSchema,
  { items: formerEach, ...formerWhole }: ValueSchema,
  value: RawBuilder<unknown>,
  renamedOptions: readonly (string | number)[],
): FieldRule[] {
  const [{ enum: options }, previous] = [nowEach ?? nowWhole, formerEach ?? formerWhole];
  if (!options) return [];
  const removedValues =
    previous.enum?.filter((value) => !options.includes(value) && !renamedOptions.includes(value)) ?? [];
  if (previous.enum && removedValues.length === 0) return [];
  const names = removedValues
    .slice(0, 8)
    .map((option) => JSON.stringify(option))
    .join(', ');
  const text = previous.enum
    ? `${label} no longer offers ${names}${removedValues.length > 8 ? ', …' : ''}`
    : `${label} only allows certain values`;
  const allowedValues = sql.join(options.map((option) => sql`${option}`));
  if (multiple) return [{ key: 'options', text, violation: sql`not (${value} <@ array[${allowedValues}])` }];
  return [{ key: 'options', text, violation: sql`${value} not in (${allowedValues})` }];
}

/** A pattern of a definition in PostgreSQL's syntax; undefined if PostgreSQL can't express it. */
export function patternForDatabase(pattern: string): string | undefined {
  return writePattern(parsePattern(pattern), postgres);
}
