import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { Predicate } from '../../engine/conditions/grammar';
import { recordFieldsIn } from '../../engine/conditions/variables-in';
import { isEmpty, type FieldErrors } from '../../engine/validation/check-values';
import { choiceMessage } from '../../engine/validation/messages';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import type { Queries } from '../database/database';
import type { Statement } from '../database/statements';
import { choosable } from './choices';
import { nestingErrors } from './nesting';
import { filled, plannedOnce, Slot } from './plans';
import { conditionKey, perCaller } from './selection-key';

/** Reference checks, as columns that are true for valid references. */
export interface ReferenceChecks {
  readonly fields: readonly Field[];
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
  const checks = referenceChecks(context, definition, values, changed);
  if (!checks) return {};
  const [row] = await context.program.database.named(checks.statement, trx);
  return { ...(await nestingErrors(definition, values, changed, trx)), ...wrongReferences(checks, row!) };
}

/**
 * Whether the statement that stores the record can also check its references: those to the same resource need another
 * one.
 */
export function canBeGuarded(
  { name, fields }: Definition,
  values: ResourceRecord,
  changed: ReadonlySet<string>,
): boolean {
  return ![...changed].some((one) => fields[one]?.to === name && !fields[one].system && !isEmpty(values[one]));
}

/** The errors according to the columns that `checks` returned. */
export function wrongReferences({ fields }: ReferenceChecks, row: Readonly<Record<string, unknown>>): FieldErrors {
  const wrong = fields.filter((field) => row[field.name] !== true);
  return Object.fromEntries(wrong.map((field) => [field.name, choiceMessage(field)]));
}

/** The checks of `referenceErrors` as one statement; undefined if there is nothing to check. */
export function referenceChecks(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  changed: ReadonlySet<string>,
): ReferenceChecks | undefined {
  const company = companyOf(definition, values);
  const fields = Object.values(definition.fields).filter(
    (field) =>
      (field.type === 'relation' || field.type === 'relations') &&
      (!field.system || field.name === 'site_id') &&
      !isEmpty(values[field.name]) &&
      (changed.has(field.name) || dependsOn(field, changed)),
  );
  if (fields.length === 0) return undefined;
  const checks = fields.map((field) => checkOf(context, field, company, values));
  const key = `check|${context.registry.version}|${checks.map((check) => check.key).join('|')}`;
  const plan = plannedOnce(
    context.program.database,
    key,
    () => sql`select ${sql.join(checks.map(({ field, build }) => sql`${build()} as ${sql.id(field.name)}`))}`,
  );
  return { fields, statement: filled(plan, values) };
}

/** The company that a record belongs to; null: the installation. A company belongs to itself. */
export function companyOf(definition: Definition, values: ResourceRecord): number | null {
  if (definition.scope === 'installation') return null;
  return ((definition.scope === 'self' ? values.id : values.site_id) as number | null | undefined) ?? null;
}

function dependsOn(field: Field, changed: ReadonlySet<string>): boolean {
  if (!field.choices) return false;
  return recordFieldsIn(field.choices).some((name) => changed.has(name));
}

/** One check, and a cache key for what it depends on besides the value. */
interface Check {
  readonly field: Field;
  readonly key: string;
  build(): RawBuilder<unknown>;
}

function checkOf(context: RequestContext, field: Field, company: number | null, values: ResourceRecord): Check {
  const value = values[field.name];
  const ids = Array.isArray(value) ? value : [value];
  if (!ids.every((id) => Number.isInteger(id) && inRange(id as number))) {
    return { field, key: `${field.name}|no`, build: () => sql`false` };
  }
  const { registry, surroundings: evaluationContext } = context;
  const target = registry.need(field.to!);
  const { where, key } = choosableBy(context, field, field.name === 'site_id' ? undefined : company, values);
  const count = Array.isArray(value) ? new Set(value).size : undefined;
  return {
    field,
    key: `${field.name}|${count ?? 'one'}|${key}`,
    build() {
      const allowed = predicateToSql(where, target, 't', registry, evaluationContext);
      const table = sql.id('public', target.table);
      const slot = new Slot(field.name);
      return count === undefined
        ? sql`exists (select from ${table} t where t.id = ${slot}::integer and ${allowed})`
        : sql`((select count(*) from ${table} t where t.id = any(${slot}::integer[]) and ${allowed}) = ${count}::integer)`;
    },
  };
}

/** The filter for choices and its cache key: computed once per caller, unless it depends on the record. */
function choosableBy(
  context: RequestContext,
  field: Field,
  company: number | null | undefined,
  values: ResourceRecord,
): { readonly where: Predicate; readonly key: string } {
  const target = context.registry.need(field.to!);
  const compute = () => {
    const where = choosable(context, field, company, values);
    return { where, key: conditionKey(context, target, where) };
  };
  return field.choices ? compute() : perCaller(context, target, `choosable|${company}`, compute);
}

const inRange = (id: number) => id > 0 && id <= 2_147_483_647;
