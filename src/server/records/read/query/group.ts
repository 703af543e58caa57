import { sql, type RawBuilder } from 'kysely';
import { isGranted } from '../../../../engine/access/access-decision';
import type { Field } from '../../../../engine/definitions/definition';
import { columnTypeOf, fieldTypeOf, valueTypeOf, isWholeNumber } from '../../../../engine/field-types';
import { isRelation } from '../../../../engine/field-types/relation';
import { choiceOrder } from '../../../../engine/lists/choice-order';
import { isGroupable } from '../../../../engine/lists/groupable';
import { groupUnits, type GroupUnit } from '../../../../engine/lists/grouping';
import { accessFilterIfGranted, allOf, readableFields } from '../../../access/access-filter';
import type { RecordScope } from '../../../access/record-scope';
import { BadRequest } from '../../../errors/errors';
import { columnSql, formattedSql } from '../../../sql/column-sql';
import { literal, visibleTitleSql } from '../../../sql/operands';
import { predicateToSql } from '../../../sql/predicate-to-sql';
import { type StatementParameter, zoneParameter } from '../../../sql/statement-parameter';
import { quoteValue } from './values';

type Sql = RawBuilder<unknown>;

const maxPathLength = 4;

/** A field to group by, perhaps of a related record, and the SQL of its value. */
export interface GroupField {
  /** As it was asked for: `stage_id`, `film_id.studio_id`, `starts_on:month`, or `starts_on:week:0` for weeks from Sunday. */
  readonly name: string;
  readonly value: Sql;
  readonly isText: boolean;
  /**
   * The record that the value is the id of: its title, and the join that this and `order` need, with the id. There are far
   * fewer groups than records, so it is joined to them where they are grouped.
   */
  readonly record?: { readonly title: Sql; readonly join: (id: Sql) => Sql };
  /**
   * The order of a list's groups, ascending, empty values last: choices in their order, Yes before No, days
   * from the first. Groups with equal ones are sorted by their value.
   */
  readonly order: readonly Sql[];
}

/**
 * Parses one name to group by, and adds the joins of its path. Throws BadRequest, naming the `parameter`, for what the
 * caller cannot read on every record.
 *
 * @example groupField({ context, definition: films }, 'starts_on:month', joins).value; // the first day of the month, as text
 */
export function groupField(
  { context, definition }: RecordScope,
  name: string,
  joinsByAlias: Map<string, Sql>,
  parameter = 'group',
): GroupField {
  const { registry, evaluationContext } = context;
  const [path = '', unit, firstDay, ...rest] = name.split(':');
  const names = Object.hasOwn(definition.fields, path) ? [path] : path.split('.');
  const last = names.pop()!;
  if (rest.length > 0 || names.length >= maxPathLength)
    throw new BadRequest(`${parameter}: ${quoteValue(name)} must be a field, such as stage_id or starts_on:month.`);
  let [alias, currentDefinition] = ['t', definition];
  for (const part of names) {
    const field = comparableField({ context, definition: currentDefinition }, part, parameter);
    if (!isRelation(field) || field.virtual)
      throw new BadRequest(
        `${parameter}: ${quoteValue(part)} in ${quoteValue(name)} must be a relation to one record.`,
      );
    const target = registry.getOrThrow(field.to);
    const listPredicate = accessFilterIfGranted(context, target, 'list', { archived: 'any' });
    if (!listPredicate) throw new BadRequest(`${parameter}: you may not list ${target.labels.many}.`);
    const next = `${alias}_${part}`;
    const isListed = predicateToSql(allOf([listPredicate]), target, next, registry, evaluationContext);
    const joinCondition = sql`${sql.id(next, 'id')} = ${columnSql(currentDefinition, field, alias, registry, evaluationContext)} and ${isListed}`;
    joinsByAlias.set(next, sql`left join ${sql.id('public', target.table)} ${sql.id(next)} on ${joinCondition}`);
    [alias, currentDefinition] = [next, target];
  }
  const field = comparableField({ context, definition: currentDefinition }, last, parameter);
  const { holds: valueKind } = fieldTypeOf(field);
  if (firstDay !== undefined && unit !== 'week')
    throw new BadRequest(`${parameter}: in ${quoteValue(name)} only weeks have a first day, such as starts_on:week:0.`);
  if (!isGroupable(field))
    throw new BadRequest(`${parameter}: ${currentDefinition.labels.many} cannot be grouped by ${quoteValue(last)}.`);
  const value = columnSql(currentDefinition, field, alias, registry, evaluationContext);
  if (valueKind === 'day' || valueKind === 'instant') {
    const period = periodSql(name, value, valueKind, [unit, firstDay], zoneParameter(evaluationContext), parameter);
    return { name, value: period, isText: false, order: [] };
  }
  if (unit !== undefined)
    throw new BadRequest(`${parameter}: ${quoteValue(name)} is no date, so it has no ${groupUnits.join(', ')}.`);
  if (!isRelation(field)) {
    const formattedValue = formattedSql(field, value);
    return {
      name,
      value: formattedValue,
      isText: valueKind === 'text' && !isWholeNumber(valueTypeOf(field)),
      order: valueOrder(field, valueKind, formattedValue),
    };
  }
  const target = registry.getOrThrow(field.to);
  const titleAlias = `${alias}_${last}_title`;
  const join = (id: Sql) =>
    sql`left join ${sql.id('public', target.table)} ${sql.id(titleAlias)} on ${sql.id(titleAlias, 'id')} = ${id}`;
  const title = visibleTitleSql(context.actor, target, titleAlias, registry);
  return {
    name,
    value,
    isText: false,
    record: { title, join },
    order: recordOrder({ context, definition: target }, titleAlias, title),
  };
}

/** The field of a definition that the caller may read on every record, and that filters and groups may use. */
export function comparableField({ context, definition }: RecordScope, name: string, parameter: string): Field {
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name]! : undefined;
  if (!field || !readableFields(context.actor, definition).always.has(name))
    throw new BadRequest(`${parameter}: ${definition.labels.many} have no field ${quoteValue(name)}.`);
  return field;
}

/** The first day of the period of a day or of an instant in a zone, as YYYY-MM-DD. */
function periodSql(
  name: string,
  value: Sql,
  valueKind: string,
  [unit, firstDay = '1']: readonly [unit?: string, firstDay?: string],
  timeZone: StatementParameter,
  parameter: string,
): Sql {
  if (unit === undefined && valueKind === 'day') return sql`to_char(${value}, 'YYYY-MM-DD')`;
  if (!groupUnits.includes(unit as GroupUnit))
    throw new BadRequest(
      `${parameter}: ${quoteValue(name)} needs one of ${groupUnits.map((groupUnit) => `:${groupUnit}`).join(', ')}.`,
    );
  const local = valueKind === 'day' ? sql`${value}::timestamp` : sql`(${value} at time zone ${timeZone}::text)`;
  if (!/^[0-6]$/.test(firstDay))
    throw new BadRequest(
      `${parameter}: in ${quoteValue(name)} weeks must begin on a day from 0, Sunday, to 6, Saturday.`,
    );
  // PostgreSQL begins weeks on Monday.
  const shiftDays = (8 - Number(firstDay)) % 7;
  if (shiftDays === 0) return sql`to_char(date_trunc(${sql.lit(unit)}, ${local}), 'YYYY-MM-DD')`;
  const shift = sql`${literal(`${shiftDays} days`)}::interval`;
  return sql`to_char(date_trunc('week', ${local} + ${shift}) - ${shift}, 'YYYY-MM-DD')`;
}

/** Options in the order of the definition, Yes before No. */
function valueOrder({ options }: Field, valueKind: string, value: Sql): readonly Sql[] {
  if (valueKind === 'boolean') return [sql`(not ${value})::integer`];
  if (!options) return [];
  const values = options.map((option) => sql.lit(String(option.value)));
  return [sql`array_position(array[${sql.join(values)}]::text[], (${value})::text)`];
}

/** Records in the order of choices: their own, such as that of stages, if the caller may list them; or else by their titles. */
function recordOrder({ context, definition: target }: RecordScope, alias: string, title: Sql): readonly Sql[] {
  const byTitle = sql`(${title}) collate "und-x-icu"`;
  const { field, order } = choiceOrder(target);
  const orderField = target.fields[field];
  const isReadable =
    isGranted(context.actor, target.name, 'list') && readableFields(context.actor, target).always.has(field);
  if (!orderField || field === target.titleField || !isReadable || !isWholeNumber(columnTypeOf(orderField)))
    return [byTitle];
  const orderColumn = sql.id(alias, field);
  return [order === 'DESC' ? sql`-${orderColumn}` : orderColumn, byTitle];
}
