import { sql, type RawBuilder } from 'kysely';
import { compareValues, predicateOf } from '../../engine/conditions/match-condition';
import type { Predicate } from '../../engine/conditions/grammar';
import { resolveVariables, type EvaluationContext } from '../../engine/conditions/variables';
import type { Definition, Field } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import { columnTypeOf } from '../../engine/field-types';
import { isRelation } from '../../engine/field-types/relation';
import { textSql, type Operand, literal } from './compare-sql';

/** Thrown for a field that no statement can read, so conditions, sorting and filters can't use it. */
export class UnstoredFieldError extends Error {
  constructor(definition: Definition, name: string) {
    super(`${definition.name}.${name} is not stored, so no statement can read it.`);
  }
}

/** The predicate of a computed field with its variables resolved. Throws without an evaluation context. */
export function computedPredicate(field: Field, evaluationContext: EvaluationContext | null): Predicate {
  if (!evaluationContext) throw new Error(`${field.name} is computed and needs an evaluation context.`);
  return resolveVariables(
    predicateOf(field.computed as Exclude<Field['computed'], string | undefined>),
    evaluationContext,
    compareValues,
  );
}

/** A field as an operand of comparisons; undefined if it has no single value in a row. */
export function fieldOperand(
  definition: Definition,
  field: Field,
  alias: string,
  registry: Registry,
): Operand | undefined {
  if (typeof field.computed === 'string') {
    return { sql: templateSql(definition, field.computed, alias, registry), columnType: 'text' };
  }
  const columnType = columnTypeOf(field);
  return columnType === null ? undefined : { sql: sql.id(alias, field.name), columnType };
}

/** The title of a record, for sorting, searching and display. */
export function titleSql(definition: Definition, alias: string, registry: Registry): RawBuilder<unknown> {
  return templateSql(definition, definition.recordTitle, alias, registry);
}

/** What companies see instead of the names of the installation's users. */
const installationTitle = 'Administrator';

/** Whether records of the resource can belong to the installation, so that companies only see a placeholder title. */
export function mayBelongToInstallation(definition: Definition): boolean {
  return definition.scope === 'company' && !definition.fields.site_id!.required;
}

/** As `titleSql`, as seen by a reader of this level: companies see a placeholder for records of the installation. */
export function visibleTitleSql(
  { level }: { readonly level: number },
  definition: Definition,
  alias: string,
  registry: Registry,
): RawBuilder<unknown> {
  const title = titleSql(definition, alias, registry);
  if (level === 1 || !mayBelongToInstallation(definition)) return title;
  return sql`(case when ${sql.id(alias, 'site_id')} is null then ${literal(installationTitle)} else ${title} end)`;
}

/**
 * A template such as `{first_name} {last_name}`, filled as the engine's `fillTemplate` does. A template of a single
 * text field is that field's column, which may be null.
 */
export function templateSql(
  definition: Definition,
  template: string,
  alias: string,
  registry: Registry,
): RawBuilder<unknown> {
  const parts = template.split(/(\{[a-z_][a-z0-9_.]*\})/).filter((part) => part !== '');
  const paths = parts.map((part) => /^\{(.*)\}$/.exec(part)?.[1]);
  if (parts.length === 1 && paths[0] !== undefined) {
    const only = pathOperand(definition, paths[0], alias, registry);
    if (only?.columnType === 'text') return only.sql;
  }
  const texts = parts.map((part, index) => {
    const path = paths[index];
    if (path === undefined) return literal(part);
    const operand = pathOperand(definition, path, alias, registry);
    return operand ? sql`coalesce(${textSql(operand)}, '')` : literal('');
  });
  return sql`btrim(regexp_replace(${sql.join(texts, sql` || `)}, ' {2,}', ' ', 'g'))`;
}

/** The value at a path: a field, or a field of a related record (`client.name`). */
function pathOperand(definition: Definition, path: string, alias: string, registry: Registry): Operand | undefined {
  const [first, ...rest] = path.split('.') as [string, ...string[]];
  const field = definition.fields[first] ?? findEmbedField(definition, first);
  if (!field) return undefined;
  if (rest.length === 0) return fieldOperand(definition, field, alias, registry);
  if (!isRelation(field)) return undefined;
  const target = registry.getOrThrow(field.to);
  const inner = `${alias}_${first}`.slice(-50);
  const operand = pathOperand(target, rest.join('.'), inner, registry);
  if (!operand) return undefined;
  return {
    columnType: operand.columnType,
    sql: sql`(select ${operand.sql} from ${sql.id('public', target.table)} ${sql.id(inner)}
      where ${sql.id(inner, 'id')} = ${sql.id(alias, field.name)})`,
  };
}

/** The relation whose related record has this name in responses. */
export function findEmbedField(definition: Definition, name: string): Field | undefined {
  return Object.values(definition.fields).find((field) => field.embed === name);
}
