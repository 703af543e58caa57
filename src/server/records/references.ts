import { sql, type RawBuilder } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { isEmpty, type FieldErrors } from '../../engine/validation/check-values';
import { choiceMessage } from '../../engine/validation/messages';
import type { RequestContext } from '../access/request-context';
import { predicateToSql } from '../conditions/to-sql';
import type { Queries } from '../database/database';
import { choosable } from './choices';
import { nestingErrors } from './nesting';

/**
 * Checks that a record may refer to what it refers to: with the changed fields, and with those whose choices depend on
 * a changed one. One statement for all of them.
 */
export async function referenceErrors(
  context: RequestContext,
  definition: Definition,
  values: ResourceRecord,
  changed: ReadonlySet<string>,
  trx: Queries,
): Promise<FieldErrors> {
  const company = companyOf(definition, values);
  const fields = Object.values(definition.fields).filter(
    (field) =>
      (field.type === 'relation' || field.type === 'relations') &&
      (!field.system || field.name === 'site_id') &&
      !isEmpty(values[field.name]) &&
      (changed.has(field.name) || dependsOn(field, changed)),
  );
  if (fields.length === 0) return {};
  const checks = fields.map((field) => sql`${checkSql(context, field, company, values)} as ${sql.id(field.name)}`);
  const [row] = await context.program.database.named(sql`select ${sql.join(checks)}`.compile(trx), trx);
  const wrong = fields.filter((field) => row![field.name] !== true);
  const errors = Object.fromEntries(wrong.map((field) => [field.name, choiceMessage(field)]));
  return { ...(await nestingErrors(definition, values, changed, trx)), ...errors };
}

/** The company that a record belongs to; null: the installation. A company belongs to itself. */
export function companyOf(definition: Definition, values: ResourceRecord): number | null {
  if (definition.scope === 'installation') return null;
  return ((definition.scope === 'self' ? values.id : values.site_id) as number | null | undefined) ?? null;
}

function dependsOn(field: Field, changed: ReadonlySet<string>): boolean {
  if (!field.choices) return false;
  const names = Array.from(JSON.stringify(field.choices).matchAll(/"\$(?:form|record)\.(\w+)"/g), (match) => match[1]!);
  return names.some((name) => changed.has(name));
}

function checkSql(
  context: RequestContext,
  field: Field,
  company: number | null,
  values: ResourceRecord,
): RawBuilder<unknown> {
  const target = context.registry.need(field.to!);
  const where = choosable(context, field, field.name === 'site_id' ? undefined : company, values);
  const allowed = predicateToSql(where, target, 't', context.registry, context.surroundings);
  const table = sql.id('public', target.table);
  const value = values[field.name];
  if (!Array.isArray(value)) {
    return Number.isInteger(value) && inRange(value as number)
      ? sql`exists (select from ${table} t where t.id = ${value}::integer and ${allowed})`
      : sql`false`;
  }
  if (!value.every((id) => Number.isInteger(id) && inRange(id as number))) return sql`false`;
  return sql`((select count(*) from ${table} t where t.id = any(${value}::integer[]) and ${allowed}) = ${new Set(value).size}::integer)`;
}

const inRange = (id: number) => id > 0 && id <= 2_147_483_647;
