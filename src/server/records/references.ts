import { sql, type RawBuilder } from 'kysely';
import {
  isAnyRelation,
  type AnyRelationField,
  type Definition,
  type ResourceRecord,
} from '../../engine/definitions/definition';
import type { Predicate } from '../../engine/conditions/grammar';
import { recordFieldsIn } from '../../engine/conditions/variables-in';
import { isEmpty, type FieldErrors } from '../../engine/validation/validate-values';
import { unavailableChoiceMessage } from '../../engine/validation/messages';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../sql/predicate-to-sql';
import type { Queries } from '../database/database';
import type { Statement } from '../database/statements';
import { choiceFilter } from './choices';
import { nestingErrors } from './nesting';
import { bind, cachedGenericStatement, Placeholder } from './statement-cache';
import { conditionKey, cachedPerCaller } from './selection-key';

/** Reference checks, as columns that are true for valid references. */
export interface ReferenceChecks {
  readonly fields: readonly AnyRelationField[];
  /** Its columns are named after the fields. */
  readonly statement: Statement;
}

/**
 * Checks the references of a record: those in changed fields, and those whose choices depend on a changed field. One
 * statement for all of them.
 */
export async function referenceErrors(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  changed: ReadonlySet<string>,
  trx: Queries,
): Promise<FieldErrors> {
  const checks = buildReferenceChecks(context, definition, values, changed);
  if (!checks) return {};
  const [row] = await context.program.database.query(checks.statement, trx);
  return { ...(await nestingErrors(definition, values, changed, trx)), ...failedReferences(checks, row!) };
}

/**
 * Whether the statement that stores the record can also check its references: those to the same resource need another
 * one.
 */
export function canCheckWhileStoring(
  { name, fields }: Definition,
  values: ResourceRecord,
  changed: ReadonlySet<string>,
): boolean {
  return ![...changed].some((one) => fields[one]?.to === name && !fields[one].system && !isEmpty(values[one]));
}

/** The errors according to the columns that `checks` returned. */
export function failedReferences({ fields }: ReferenceChecks, row: Readonly<Record<string, unknown>>): FieldErrors {
  const wrong = fields.filter((field) => row[field.name] !== true);
  return Object.fromEntries(wrong.map((field) => [field.name, unavailableChoiceMessage(field)]));
}

/** The checks of `referenceErrors` as one statement; undefined if there is nothing to check. */
export function buildReferenceChecks(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  changed: ReadonlySet<string>,
): ReferenceChecks | undefined {
  const company = recordCompany(definition, values);
  const fields = Object.values(definition.fields)
    .filter(isAnyRelation)
    .filter(
      (field) =>
        (!field.system || field.name === 'site_id') &&
        !isEmpty(values[field.name]) &&
        (changed.has(field.name) || dependsOn(field, changed)),
    );
  if (fields.length === 0) return undefined;
  const checks = fields.map((field) => buildCheck(context, field, company, values));
  const key = `check|${context.registry.version}|${checks.map((check) => check.key).join('|')}`;
  const plan = cachedGenericStatement(
    context.program.database,
    key,
    () => sql`select ${sql.join(checks.map(({ field, build }) => sql`${build()} as ${sql.id(field.name)}`))}`,
  );
  return { fields, statement: bind(plan, values) };
}

/** The company that a record belongs to; null: the installation. A company belongs to itself. */
export function recordCompany(definition: Definition, values: ResourceRecord): number | null {
  if (definition.scope === 'installation') return null;
  return ((definition.scope === 'self' ? values.id : values.site_id) as number | null | undefined) ?? null;
}

function dependsOn(field: AnyRelationField, changed: ReadonlySet<string>): boolean {
  if (!field.choices) return false;
  return recordFieldsIn(field.choices).some((name) => changed.has(name));
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
  if (!ids.every((id) => Number.isInteger(id) && isIntegerId(id as number))) {
    return { field, key: `${field.name}|no`, build: () => sql`false` };
  }
  const { registry, evaluationContext } = context;
  const target = registry.getOrThrow(field.to);
  const { where, key } = cachedChoiceFilter(context, field, field.name === 'site_id' ? undefined : company, values);
  const count = Array.isArray(value) ? new Set(value).size : undefined;
  return {
    field,
    key: `${field.name}|${count ?? 'one'}|${key}`,
    build() {
      const allowed = predicateToSql(where, target, 't', registry, evaluationContext);
      const table = sql.id('public', target.table);
      const slot = new Placeholder(field.name);
      return count === undefined
        ? sql`exists (select from ${table} t where t.id = ${slot}::integer and ${allowed})`
        : sql`((select count(*) from ${table} t where t.id = any(${slot}::integer[]) and ${allowed}) = ${count}::integer)`;
    },
  };
}

/** The filter for choices and its cache key: computed once per caller, unless it depends on the record. */
function cachedChoiceFilter(
  context: RequestContext,
  field: AnyRelationField,
  company: number | null | undefined,
  values: ResourceRecord,
): { readonly where: Predicate; readonly key: string } {
  const target = context.registry.getOrThrow(field.to);
  const compute = () => {
    const where = choiceFilter(context, field, company, values);
    return { where, key: conditionKey(context, target, where) };
  };
  return field.choices ? compute() : cachedPerCaller(context, target, `choosable|${company}`, compute);
}

const isIntegerId = (id: number) => id > 0 && id <= 2_147_483_647;
