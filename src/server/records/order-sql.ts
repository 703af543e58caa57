import { sql, type RawBuilder } from 'kysely';
import type { Definition } from '../../engine/definitions/definition';
import { columnOf } from '../../engine/field-types';
import type { RequestContext } from '../access/request-context';
import { answerSql } from '../conditions/answer-sql';
import { columnSql } from '../conditions/column-sql';
import { knownTitleSql } from '../conditions/columns';
import type { Order } from './query/order';

/** A relation is sorted by its target's title, text by the rules of ICU's root collation. */
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
    // Such a title is put together once for each target (which `offset 0` holds to), not once for each row.
    const titled = sql`(select s.id, ${title} as title from ${table} s offset 0)`;
    return { expression: collated(sql`s.title`, true), join: sql`left join ${titled} s on ${on}` };
  }
  // A time of a day comes after those of the days before; durations are sorted as the numbers that they are.
  const sortedAs = field.on === undefined ? columnSql : answerSql;
  const value = sortedAs(definition, field, 't', context.registry, context.surroundings);
  const isText = typeof field.computed === 'string' || (field.computed === undefined && columnOf(field) === 'text');
  return { expression: collated(value, isText), join: none };
}

function collated(expression: RawBuilder<unknown>, isText: boolean): RawBuilder<unknown> {
  return isText ? sql`(${expression}) collate "und-x-icu"` : expression;
}
