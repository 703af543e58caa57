import { sql, type RawBuilder } from 'kysely';
import type {
  AnyRelationField,
  Definition,
  Field,
  FieldOf,
  ResourceRecord,
} from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { rowColumns, rowDefinition } from '../../../engine/field-types/row-definition';
import { isAnyRelation, isRelation, treeParent, usualDepth, isRecordId } from '../../../engine/field-types/relation';
import type { Predicate } from '../../../engine/conditions/grammar';
import { recordFieldsIn } from '../../../engine/conditions/variables-in';
import { isEmpty } from '../../../engine/values/is-empty';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import { unavailableChoiceMessage } from '../../../engine/validation/messages';
import type { QueryScope, RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { runStatement, type Queries } from '../../database/database';
import type { Statement } from '../../database/statements';
import {
  audienceKey,
  bind,
  cachedGenericStatement,
  cachedStatement,
  conditionKey,
  fixedStatement,
  Placeholder,
  type RecordParameters,
} from '../read/statement-cache';
import { predicateOf } from '../../../engine/conditions/match-condition';
import { unwrapId } from '../../../engine/conditions/variables';
import { expandParameters } from '../../../engine/conditions/parameters';
import { columnTypeOf } from '../../../engine/field-types';
import { isGranted } from '../../../engine/access/access-decision';
import {
  allOf,
  cachedFilter,
  rowRuleFilter,
  companyScope,
  notDeletedFilter,
  archiveFilter,
  referenceScope,
} from '../../access/access-filter';
import { parameterOf, resolveCondition } from '../../sql/statement-parameter';
import { pairTable } from '../../database/identifiers';
import { hasCompanyKey, isAmong } from '../../sql/same-company';
import { firstOf, itemAt, propertyOf, requireValue } from '../../../engine/values/lookups';
import { fieldOf } from '../../../engine/definitions/accessors';

/** Reference checks, as columns that are true for valid references. */
export interface ReferenceChecks {
  readonly fields: readonly AnyRelationField[];
  /** Its columns are named after the fields. */
  readonly statement: Statement;
}

/** A record whose references are checked: those in changed fields, and those whose choices depend on a changed field. */
interface CheckedRecord {
  readonly values: ResourceRecord;
  readonly changed: ReadonlySet<string>;
}

/**
 * The references of records that they may not have. Of one record, one statement checks them all; of many, whose call
 * remembers in `checkedReferences` what it has checked, one statement for each target.
 */
export async function referenceErrors(
  scope: QueryScope,
  records: readonly CheckedRecord[],
  checkedReferences?: CheckedReferences,
): Promise<FieldErrors[]> {
  const { context, definition, queries } = scope;
  const choiceErrors = checkedReferences
    ? await unavailableReferences(
        { context, definition, queries },
        records.map(({ values }) => values),
        (field, index) => isOpen(field, itemAt(records, index).changed),
        checkedReferences,
      )
    : await Promise.all(records.map((record) => failedChecks(scope, record)));
  const errors: FieldErrors[] = [];
  for (const [index, { values, changed: changedNames }] of records.entries())
    errors.push({
      ...(await nestingErrors(context.registry, definition, values, changedNames, queries)),
      ...choiceErrors[index],
    });
  return errors;
}

/** Whether a change opens the question of what a field refers to. */
const isOpen = (field: AnyRelationField, changedNames: ReadonlySet<string>) =>
  changedNames.has(field.name) || dependsOn(field, changedNames);

async function failedChecks(scope: QueryScope, { values, changed: changedNames }: CheckedRecord): Promise<FieldErrors> {
  const { context, queries } = scope;
  const checks = buildReferenceChecks(scope, values, changedNames);
  if (!checks) return {};
  const row = firstOf(await context.program.database.query(checks.statement, queries));
  return failedReferences(checks, row);
}

/**
 * Whether the statement that stores the record can also check its references: those to the same resource need another
 * one.
 */
export function canCheckWhileStoring(
  { name, fields }: Definition,
  values: ResourceRecord,
  changedNames: ReadonlySet<string>,
): boolean {
  return ![...changedNames].some(
    (fieldName) => fields[fieldName]?.to === name && !fields[fieldName].system && !isEmpty(values[fieldName]),
  );
}

/** The errors according to the columns that `checks` returned. */
export function failedReferences({ fields }: ReferenceChecks, row: Readonly<Record<string, unknown>>): FieldErrors {
  const failedFields = fields.filter((field) => row[field.name] !== true);
  return Object.fromEntries(failedFields.map((field) => [field.name, unavailableChoiceMessage(field)]));
}

/** The checks of `referenceErrors` as one statement; undefined if there is nothing to check. */
export function buildReferenceChecks(
  scope: RecordScope,
  values: ResourceRecord,
  changedNames: ReadonlySet<string>,
): ReferenceChecks | undefined {
  const { context, definition } = scope;
  const company = recordCompany(definition, values);
  const fields = Object.values(definition.fields)
    .filter(isAnyRelation)
    .filter(
      (field) =>
        (!field.system || field.name === 'site_id') &&
        !isEmpty(values[field.name]) &&
        !isCaller(scope, field, values[field.name]) &&
        isOpen(field, changedNames),
    );
  if (fields.length === 0) return undefined;
  const checks = fields.map((field) => buildCheck(context, field, company, values));
  const key = `check|${context.registry.version}|${checks.map((check) => check.key).join('|')}`;
  const plan = cachedGenericStatement(
    context,
    key,
    () => sql`select ${sql.join(checks.map(({ field, build }) => sql`${build()} as ${sql.id(field.name)}`))}`,
    recordParameters(company, values),
  );
  return { fields, statement: bind(plan, values) };
}

/** The name of the parameter with the company of a record. */
const companyParameter = '$company';

/**
 * The values of parameters that are about a record of a company: its company, and `$form.project_id`. `storedRecord` is
 * the stored record, if conditions know one.
 */
export function recordParameters(
  company: number | null,
  values: ResourceRecord,
  storedRecord: ResourceRecord = values,
): RecordParameters {
  return (name) => {
    if (name === companyParameter) return company;
    const [, root, field] = /^\$(form|record)\.(\w+)$/.exec(name) ?? [];
    return field === undefined ? undefined : unwrapId((root === 'form' ? values : storedRecord)[field]);
  };
}

/**
 * Whether a relation says that the caller did it, by default or because nobody may choose it. Then there is nothing to
 * check: service accounts act in the name of a user whom nobody can choose.
 */
function isCaller(
  { context: { actor }, definition: { fields } }: RecordScope,
  field: AnyRelationField,
  value: unknown,
): boolean {
  if (value !== actor.id || field.to !== fields.created_by?.to || field.choices) return false;
  return field.readOnly || field.default === '$actor.id';
}

/** A company in predicates of statements that get `recordParameters`. */
export function recordCompanyParameter(company: number | null): unknown {
  return parameterOf(companyParameter, company);
}

/** The company that a record belongs to; null: the installation. A company belongs to itself. */
export function recordCompany(definition: Definition, values: ResourceRecord): number | null {
  if (definition.scope === 'installation') return null;
  return ((definition.scope === 'self' ? values.id : values.site_id) as number | null | undefined) ?? null;
}

function dependsOn(field: AnyRelationField, changedNames: ReadonlySet<string>): boolean {
  if (!field.choices) return false;
  return recordFieldsIn(field.choices).some((name) => changedNames.has(name));
}

/** One check, and a cache key for what it depends on besides the value. */
interface Check {
  readonly field: AnyRelationField;
  readonly key: string;
  build(): RawBuilder<unknown>;
}

function buildCheck(
  context: RequestContext,
  field: AnyRelationField,
  company: number | null,
  values: ResourceRecord,
): Check {
  const value = values[field.name];
  const ids = Array.isArray(value) ? value : [value];
  if (!ids.every(isRecordId)) {
    return { field, key: `${field.name}|no`, build: () => sql`false` };
  }
  const { registry, evaluationContext } = context;
  const target = registry.getOrThrow(field.to);
  const filter = cachedChoiceFilter(context, field, field.name === 'site_id' ? undefined : company, values);
  const count = Array.isArray(value) ? new Set(value).size : undefined;
  return {
    field,
    key: `${field.name}|${count ?? 'one'}|${conditionKey(context, target, filter)}`,
    build() {
      const filterSql = predicateToSql(filter, target, 't', registry, evaluationContext);
      const table = sql.id('public', target.table);
      const slot = new Placeholder(field.name);
      return count === undefined
        ? sql`exists (select from ${table} t where t.id = ${slot}::bigint and ${filterSql})`
        : sql`((select count(*) from ${table} t where t.id = any(${slot}::bigint[]) and ${filterSql}) = ${count}::bigint)`;
    },
  };
}

/**
 * `choiceFilter` for statements that get `recordParameters`: made once per caller and company, unless it depends on the
 * record.
 */
export function cachedChoiceFilter(
  context: RequestContext,
  field: AnyRelationField,
  company: number | null | undefined,
  values: ResourceRecord,
): Predicate {
  const make = () =>
    choiceFilter(context, field, company === undefined ? undefined : recordCompanyParameter(company), values);
  return field.choices ? make() : cachedFilter(context, `${field.to} choices ${company}`, make);
}

/**
 * A field of this record that must equal a field of the records that refer to it, by the `choices` of their relation.
 */
interface ChoiceTie {
  readonly own: string;
  readonly theirs: string;
  /** Instead, the record has to be below the one that the others' field names, in a tree of these records. */
  readonly below?: true;
}

/**
 * Checks that records that refer to this one may keep doing so. If a relation's choices require the target's project to
 * be the record's own, moving the target to another project would break them. One statement per resource that depends
 * on a changed field; none for most changes.
 */
export async function dependentChoiceErrors(
  { context, definition, queries: trx }: QueryScope,
  id: number,
  values: ResourceRecord,
  changedNames: ReadonlySet<string>,
): Promise<FieldErrors> {
  const ties = new Map<string, Map<Definition, { readonly field: Field; readonly tie: ChoiceTie }[]>>();
  for (const { definition: user, field } of context.registry.referencesTo(definition.name)) {
    for (const tie of choiceTies(definition, user, field)) {
      if (!changedNames.has(tie.own)) continue;
      const resources =
        ties.get(tie.own) ?? new Map<Definition, { readonly field: Field; readonly tie: ChoiceTie }[]>();
      ties.set(tie.own, resources.set(user, [...(resources.get(user) ?? []), { field, tie }]));
    }
  }
  const errors: FieldErrors = {};
  for (const [fieldName, resources] of ties) {
    const value = (values[fieldName] as number | string | null | undefined) ?? null;
    const recordUses: RecordUses = { phrases: [], hasHiddenUses: false };
    for (const [resource, list] of resources) {
      const uses = {
        name: `ties ${definition.name}.${fieldName}`,
        where: () => {
          const tieConditions = list.map(({ field, tie }) =>
            tie.below ? outsideBranchSql(definition, field, tie) : elsewhereSql(resource, field, tie, definition),
          );
          return sql`(${sql.join(
            tieConditions.map((condition) => sql`(${condition})`),
            sql` or `,
          )})`;
        },
        values: {
          id,
          ids: [id],
          value: value === null ? null : String(value),
          parent: typeof value === 'number' ? value : null,
        },
      };
      await collectUses({ context, definition: resource, queries: trx }, uses, recordUses);
    }
    if (recordUses.phrases.length === 0 && !recordUses.hasHiddenUses) continue;
    const { label } = fieldOf(definition, fieldName);
    errors[fieldName] =
      `${label} cannot change: this ${definition.labels.one.toLowerCase()} is used by ${describeUses(recordUses)} there. Move or delete those first.`;
  }
  return errors;
}

const tiesCache = new WeakMap<Field, readonly ChoiceTie[]>();

/** The conditions in choices, such as `{"project_id": "$form.project_id"}`, that tie a record to those that refer to it. */
function choiceTies(definition: Definition, user: Definition, field: Field): readonly ChoiceTie[] {
  if (!field.choices || field.virtual) return [];
  let ties = tiesCache.get(field);
  if (!ties) {
    ties = tiesIn(predicateOf(expandParameters(field.choices, definition))).filter(
      ({ own: ownName, theirs: userFieldName, below: isBelow }) =>
        isSingleColumn(definition.fields[ownName]) &&
        isSingleColumn(user.fields[userFieldName]) &&
        (!isBelow ||
          (treeParent(definition)?.name === ownName &&
            isRelation(field) &&
            fieldOf(user, userFieldName).to === field.to)),
    );
    tiesCache.set(field, ties);
  }
  return ties;
}

function tiesIn(predicate: Predicate): ChoiceTie[] {
  if (predicate.kind === 'all') return predicate.of.flatMap(tiesIn);
  const comparison = predicate.kind === 'some' ? predicate.of : predicate;
  const operator = predicate.kind === 'some' ? '$below' : '$eq';
  if (comparison.kind !== 'compare' || comparison.operator !== operator) return [];
  const userFieldName = /^\$(?:form|record)\.(\w+)$/.exec(String(comparison.right))?.[1];
  if (userFieldName === undefined) return [];
  return [
    predicate.kind === 'some'
      ? { own: predicate.field, theirs: userFieldName, below: true }
      : { own: comparison.left, theirs: userFieldName },
  ];
}

/**
 * Records `t` that refer to one whose field does not have their own value any more. Placeholders are its id in `ids`, and
 * the `value` as text.
 */
function elsewhereSql(user: Definition, field: Field, { theirs: userFieldName }: ChoiceTie, target: Definition) {
  const column = sql.id('t', userFieldName);
  return sql`${refersToSql(user, field, target)} and ${column} is not null and ${column}::text is distinct from ${new Placeholder('value')}::text`;
}

/**
 * Records `t` that refer to one of a branch, but belong to a record that is no longer above it once the branch is placed
 * below another. Placeholders are the `id` of the branch, and of its `parent`.
 */
function outsideBranchSql({ table }: Definition, field: Field, { own: ownName, theirs: userFieldName }: ChoiceTie) {
  const [records, parentColumn, column] = [sql.id('public', table), sql.id(ownName), sql.id('t', userFieldName)];
  const branch = sql`(with recursive down (id) as (select ${new Placeholder('id')}::bigint
    union select b.id from down join ${records} b on b.${parentColumn} = down.id) select id from down)`;
  const path = sql`(with recursive up (id) as (select ${new Placeholder('parent')}::bigint
    union select b.${parentColumn} from up join ${records} b on b.id = up.id where b.${parentColumn} is not null) select id from up where id is not null)`;
  return sql`${sql.id('t', field.name)} in ${branch} and ${column} is not null and ${column} not in ${branch} and ${column} not in ${path}`;
}

/** Whether the table stores a single value of the field. */
const isSingleColumn = (field: Field | undefined) =>
  field !== undefined && !field.virtual && field.computed === undefined && columnTypeOf(field) !== null;

/** Limits how far a chain is followed, in case stored data contains a cycle. */
const MAX_CHAIN = 100;

/** Checks relations of a resource to itself: no record below itself, and no more levels than the definition allows. */
async function nestingErrors(
  registry: Registry,
  definition: Definition,
  values: ResourceRecord,
  changedNames: ReadonlySet<string>,
  trx: Queries,
): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const field of Object.values(definition.fields)) {
    const parent = values[field.name];
    if (!isRelation(field) || field.to !== definition.name || field.system) continue;
    const isPlaced = changedNames.has(field.name) || (field.depth && changedNames.has(field.depth.relation));
    if (typeof parent !== 'number' || !isPlaced) continue;
    const error = await nestingError(registry, definition, field, parent, values, trx);
    if (error) errors[field.name] = error;
  }
  return errors;
}

interface NestingRow {
  readonly above: number;
  readonly circle: boolean;
  readonly below: number;
  readonly allowed: number | null;
}

async function nestingError(
  registry: Registry,
  definition: Definition,
  field: FieldOf<'relation'>,
  parent: number,
  values: ResourceRecord,
  trx: Queries,
): Promise<string | undefined> {
  const recordLabel = definition.labels.one.toLowerCase();
  const id = (values.id as number | undefined) ?? null;
  if (parent === id) return `A ${recordLabel} cannot be placed below itself.`;
  const [table, name] = [sql.id('public', definition.table), sql.id(field.name)];
  // Of two changes at once, the second sees the first: until the end of the transaction, others that move a record wait.
  // Nothing is below a new record, so it cannot close a circle.
  if (id !== null && trx.isTransaction)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`nesting ${definition.table}`}, 0))`.execute(trx);
  const { depth } = field;
  const slots = { id: new Placeholder('id'), parent: new Placeholder('parent') };
  const key = `nesting|${registry.version}|${field.name}`;
  const plan = fixedStatement(
    definition,
    key,
    trx,
    () => sql`
    with recursive up (id, depth) as (
      select ${slots.parent}::bigint, 1
      union all
      select t.${name}, up.depth + 1 from up join ${table} t on t.id = up.id
      where t.${name} is not null and up.depth < ${sql.lit(MAX_CHAIN)}
    ), down (id, depth) as (
      select ${slots.id}::bigint, 0
      union all
      select t.id, down.depth + 1 from down join ${table} t on t.${name} = down.id
      where down.depth < ${sql.lit(MAX_CHAIN)}
    )
    select (select max(depth) from up)::integer as above, (select max(depth) from down)::integer as below,
      coalesce((select bool_or(up.id = ${slots.id}::bigint) from up), false) as circle,
      ${allowedDepthSql(registry, definition, field, sql`${new Placeholder('related')}::bigint`)} as allowed`,
  );
  const relatedId = depth && values[depth.relation];
  const bound = bind(plan, { id, parent, related: typeof relatedId === 'number' ? relatedId : null });
  const row = firstOf(await runStatement<NestingRow>(trx, bound));
  const { above: levelsAbove, below: levelsBelow, circle, allowed: allowedLevels } = row;
  if (circle) return `A ${recordLabel} cannot be placed below itself.`;
  if (allowedLevels === null || levelsAbove + 1 + levelsBelow <= allowedLevels) return undefined;
  const tooDeep = `${definition.labels.many} can be nested at most ${allowedLevels} ${allowedLevels === 1 ? 'level' : 'levels'} deep.`;
  if (!field.depth || allowedLevels === field.maxDepth) return tooDeep;
  const relation = fieldOf(definition, field.depth.relation);
  const { label } = fieldOf(registry.getOrThrow(relation.to), field.depth.field);
  return `${tooDeep} "${label}" of ${relation.label} allows more, up to ${field.maxDepth}.`;
}

/** How many levels a record may have whose related record has this id: what its related record says, or the definition. */
function allowedDepthSql(
  registry: Registry,
  { fields }: Definition,
  { maxDepth, depth }: FieldOf<'relation'>,
  relatedId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (maxDepth === undefined) return sql`null::integer`;
  if (!depth) return sql`${sql.lit(maxDepth)}::integer`;
  const { table } = registry.getOrThrow(propertyOf(fields, depth.relation).to);
  return sql`least(${sql.lit(maxDepth)}, greatest(1, coalesce((select ${sql.id('s', depth.field)}
    from ${sql.id('public', table)} s where s.id = ${relatedId}), ${sql.lit(usualDepth)})))::integer`;
}

/**
 * Matches the rows `t` that another may be placed below: those that are not as deep as their related record allows. Only
 * for a relation with a `depth`; others say in their choices what they offer.
 */
export function mayHaveMoreBelowSql(
  registry: Registry,
  definition: Definition,
  field: FieldOf<'relation'>,
): RawBuilder<unknown> {
  const parent = sql.id(field.name);
  return sql`(with recursive up (id, level) as (select ${sql.id('t', field.name)}, 1
    union all select p.${parent}, up.level + 1 from up join ${sql.id('public', definition.table)} p on p.id = up.id
      where up.level < ${sql.lit(MAX_CHAIN)}) select max(level) from up)
    < ${allowedDepthSql(registry, definition, field, sql.id('t', requireValue(field.depth, `the depth of ${field.name}`).relation))}`;
}

/** The uses of a record, as phrases, limited to those that the caller may list. */
export interface RecordUses {
  readonly phrases: string[];
  hasHiddenUses: boolean;
}

/** Rows `t` of a resource that use a record. */
export interface UsingRows {
  /** Identifies the condition, among all of a resource. */
  readonly name: string;
  readonly where: () => RawBuilder<unknown>;
  /** Of the condition's placeholders. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Adds the rows of a resource that match a condition to the uses of a record. */
export async function collectUses(
  { context, definition: user, queries: trx }: QueryScope,
  { name, where: buildCondition, values }: UsingRows,
  recordUses: RecordUses,
): Promise<void> {
  const plan = cachedStatement(
    context,
    `uses|${audienceKey(context)}|${user.name}|${name}`,
    () => sql`select count(*)::integer as count,
      (count(*) filter (where ${visibleUseSql(context, user)}))::integer as seen
    from ${sql.id('public', user.table)} t where ${buildCondition()}`,
  );
  const row = firstOf(await runStatement<{ count: number; seen: number }>(trx, bind(plan, values)));
  const { count, seen: visibleCount } = row;
  if (visibleCount > 0)
    recordUses.phrases.push(
      `${visibleCount} ${(visibleCount === 1 ? user.labels.one : user.labels.many).toLowerCase()}`,
    );
  recordUses.hasHiddenUses ||= count > visibleCount;
}

/** Whether the caller may know of a row `t`, including archived rows and deleted rows that are kept for their name. */
function visibleUseSql(context: RequestContext, user: Definition): RawBuilder<unknown> {
  if (!isGranted(context.actor, user.name, 'list')) return sql`false`;
  const filter = allOf([companyScope(context.actor, user), rowRuleFilter(context, user, 'list')]);
  return predicateToSql(filter, user, 't', context.registry, context.evaluationContext);
}

const idsSlot = () => sql`${new Placeholder('ids')}::bigint[]`;

/** Matches rows `t` that refer to one of the records of `target`, whose ids are the placeholder `ids`. */
export function refersToSql(user: Definition, field: Field, target: Definition): RawBuilder<unknown> {
  if (isRelation(field)) return sql`${sql.id('t', field.name)} = any(${idsSlot()})`;
  const pairs = sql.id('public', pairTable(user, field));
  const fromSql =
    hasCompanyKey(user) && hasCompanyKey(target)
      ? sql`from ${sql.id('public', target.table)} o join ${pairs} p on p.site_id = o.site_id and p.target_id = o.id
        where o.id = any(${idsSlot()})`
      : sql`from ${pairs} p where p.target_id = any(${idsSlot()})`;
  return isAmong(user, 't', 'p', 'record_id', fromSql);
}

/** Matches rows `t` of which some rows of a field refer to one of the records, whose ids are the placeholder `ids`. */
export function rowsReferToSql(user: Definition, field: FieldOf<'rows'>, column: Field): RawBuilder<unknown> {
  const rows = sql`from ${sql.id('public', rowDefinition(user, field).table)} r where r.${sql.id(column.name)} = any(${idsSlot()})`;
  return isAmong(user, 't', 'r', rowColumns.parent, rows);
}

/** Formats uses as `a`, `a and b`, `a, b and c`; uses that the caller may not list are only mentioned. */
export function describeUses({ phrases, hasHiddenUses }: RecordUses): string {
  const hiddenPhrase =
    phrases.length > 0 ? "others that you don't have access to" : "records that you don't have access to";
  const parts = hasHiddenUses ? [...phrases, hiddenPhrase] : phrases;
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/**
 * The records that a field of a record of `company` may refer to, given the record's values `form`: of its company or
 * the installation, neither deleted nor archived, within the row rules of the target, and matching the field's
 * `choices`. Selects, validation and imports all use this predicate. `company` is an id or its parameter; null: the
 * installation, undefined: any. `withDeleted` includes deleted records that are kept for their names.
 */
export function choiceFilter(
  context: RequestContext,
  field: AnyRelationField,
  company: unknown,
  form: ResourceRecord,
  { withDeleted = false }: { readonly withDeleted?: boolean } = {},
): Predicate {
  const target = context.registry.getOrThrow(field.to);
  const choices = field.choices && expandParameters(field.choices, target);
  return allOf([
    companyScope(context.actor, target),
    ...(company === undefined ? [] : [referenceScope(company, target)]),
    ...(withDeleted ? [] : [notDeletedFilter(target)]),
    archiveFilter(context.registry, target),
    rowRuleFilter(context, target, 'view'),
    ...(choices ? [resolveCondition(choices, { ...context.evaluationContext, form, record: form })] : []),
  ]);
}

/** Known results: whether a field, under the conditions of its choices, may refer to an id. */
export type CheckedReferences = Map<string, boolean>;

/** How many conditions one statement checks. */
const maxConditions = 100;

/** The ids to check under one condition. */
interface ReferenceQuery {
  readonly target: Definition;
  readonly where: ReturnType<typeof choiceFilter>;
  readonly ids: Set<number>;
}

/**
 * The references of many records that their fields may not have: one statement per target, however many records. Results
 * are added to `checkedReferences`; only the fields for which `isChecked` is true are checked, by record.
 */
export async function unavailableReferences(
  scope: QueryScope,
  records: readonly ResourceRecord[],
  isChecked: (field: AnyRelationField, index: number) => boolean,
  checkedReferences: CheckedReferences,
): Promise<FieldErrors[]> {
  const { context, definition, queries: trx } = scope;
  const questions = new Map<string, ReferenceQuery>();
  const referencesPerRecord = records.map((values, index) =>
    referencesIn(
      definition,
      values,
      (field) => isChecked(field, index) && !isCaller(scope, field, values[field.name]),
    ).map(({ field, ids }) => {
      const company = field.name === 'site_id' ? undefined : recordCompany(definition, values);
      const filter = choiceFilter(context, field, company, values);
      const key = `${definition.name}|${field.name}|${JSON.stringify(filter)}`;
      const question = questions.get(key) ?? {
        target: context.registry.getOrThrow(field.to),
        where: filter,
        ids: new Set<number>(),
      };
      questions.set(key, question);
      for (const id of ids) if (isRecordId(id) && !checkedReferences.has(`${key}|${id}`)) question.ids.add(id);
      return { field, ids, key };
    }),
  );
  const openQueries = [...questions].filter(([, { ids }]) => ids.size > 0);
  const targets = new Set(openQueries.map(([, { target }]) => target));
  for (const target of targets) {
    const targetQueries = openQueries.filter(([, question]) => question.target === target);
    for (let start = 0; start < targetQueries.length; start += maxConditions) {
      await runReferenceQueries(context, targetQueries.slice(start, start + maxConditions), checkedReferences, trx);
    }
  }
  return referencesPerRecord.map((references) => {
    const invalidReferences = references.filter(
      ({ ids, key }) => !ids.every((id) => checkedReferences.get(`${key}|${String(id)}`)),
    );
    return Object.fromEntries(invalidReferences.map(({ field }) => [field.name, unavailableChoiceMessage(field)]));
  });
}

/** The relations of a record that have a value, and their ids. */
function referencesIn(
  definition: Definition,
  values: ResourceRecord,
  isChecked: (field: AnyRelationField) => boolean,
): { field: AnyRelationField; ids: readonly unknown[] }[] {
  return Object.values(definition.fields).flatMap((field) => {
    const value = values[field.name];
    if (!isAnyRelation(field) || (field.system && field.name !== 'site_id') || isEmpty(value)) return [];
    if (!isChecked(field)) return [];
    return [{ field, ids: Array.isArray(value) ? value : [value] }];
  });
}

/** Checks all ids of one target at once, each under its own condition. */
async function runReferenceQueries(
  { registry, evaluationContext }: RequestContext,
  questions: readonly (readonly [string, ReferenceQuery])[],
  checkedReferences: CheckedReferences,
  trx: Queries,
): Promise<void> {
  const parts = questions.map(([, { target, where: filter, ids }], index): RawBuilder<unknown> => {
    const filterSql = predicateToSql(filter, target, 't', registry, evaluationContext);
    return sql`select ${sql.lit(index)}::integer as question, t.id from ${sql.id('public', target.table)} t
      where t.id = any(${[...ids]}::bigint[]) and ${filterSql}`;
  });
  const { rows } = await sql<{ question: number; id: number }>`${sql.join(parts, sql` union all `)}`.execute(trx);
  for (const [key, { ids }] of questions) for (const id of ids) checkedReferences.set(`${key}|${id}`, false);
  for (const { question, id } of rows) checkedReferences.set(`${itemAt(questions, question)[0]}|${id}`, true);
}
