import { sql, type RawBuilder } from 'kysely';
import type { Definition } from '../../engine/definitions/definition';
import { columnOf } from '../../engine/field-types';
import type { RequestContext } from '../access/request-context';
import { answerSql } from '../conditions/answer-sql';
import { columnSql } from '../conditions/column-sql';
import { knownTitleSql } from '../conditions/columns';
import type { Order } from './query/order';

/** The sort expression of a field: a relation is sorted by its target's title, text by ICU's root collation. */
export function orderSql(
  context: RequestContext,
  definition: Definition,
  { field }: Order,
): { expression: RawBuilder<unknown>; join: RawBuilder<unknown> } {
  const none = sql``;
  if (field.type === 'relation') {
    const target = context.registry.need(field.to!);
    const title = knownTitleSql(context.actor, target, 's', context.registry);
    const table = sql.id('public', target.table);
    const on = sql`s.id = ${sql.id('t', field.name)}`;
    if (target.fields[target.titleField]?.computed === undefined) {
      return { expression: collated(title, true), join: sql`left join ${table} s on ${on}` };
    }
    // A computed title is built once per target (enforced by `offset 0`), not once per row.
    const titled = sql`(select s.id, ${title} as title from ${table} s offset 0)`;
    return { expression: collated(sql`s.title`, true), join: sql`left join ${titled} s on ${on}` };
  }
  // A time of day sorts after all times of the days before; durations sort as numbers.
  const sortedAs = field.on === undefined ? columnSql : answerSql;
  const value = sortedAs(definition, field, 't', context.registry, context.surroundings);
  const isText = typeof field.computed === 'string' || (field.computed === undefined && columnOf(field) === 'text');
  return { expression: collated(value, isText), join: none };
}

function collated(expression: RawBuilder<unknown>, isText: boolean): RawBuilder<unknown> {
  return isText ? sql`(${expression}) collate "und-x-icu"` : expression;
}
