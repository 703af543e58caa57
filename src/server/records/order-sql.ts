import { sql, type RawBuilder } from 'kysely';
import type { Definition } from '../../engine/definitions/definition';
import { columnTypeOf } from '../../engine/field-types';
import type { RequestContext } from '../access/request-context';
import { responseSql, columnSql } from '../sql/column-sql';
import { visibleTitleSql } from '../sql/operands';
import type { Order } from './query/order';

/** The sort expression of a field: a relation is sorted by its target's title, text by ICU's root collation. */
export function orderSql(
  context: RequestContext,
  definition: Definition,
  { field }: Order,
): { expression: RawBuilder<unknown>; join: RawBuilder<unknown> } {
  const none = sql``;
  if (field.type === 'relation') {
    const target = context.registry.getOrThrow(field.to!);
    const title = visibleTitleSql(context.actor, target, 's', context.registry);
    const table = sql.id('public', target.table);
    const on = sql`s.id = ${sql.id('t', field.name)}`;
    if (target.fields[target.titleField]?.computed === undefined) {
      return { expression: collateSql(title, true), join: sql`left join ${table} s on ${on}` };
    }
    // A computed title is built once per target (enforced by `offset 0`), not once per row.
    const titled = sql`(select s.id, ${title} as title from ${table} s offset 0)`;
    return { expression: collateSql(sql`s.title`, true), join: sql`left join ${titled} s on ${on}` };
  }
  // A time of day sorts after all times of the days before; durations sort as numbers.
  const sortedAs = field.on === undefined ? columnSql : responseSql;
  const value = sortedAs(definition, field, 't', context.registry, context.evaluationContext);
  const isText = typeof field.computed === 'string' || (field.computed === undefined && columnTypeOf(field) === 'text');
  return { expression: collateSql(value, isText), join: none };
}

function collateSql(expression: RawBuilder<unknown>, isText: boolean): RawBuilder<unknown> {
  return isText ? sql`(${expression}) collate "und-x-icu"` : expression;
}
