import { sql, type RawBuilder } from 'kysely';
import { decideAccess } from '../../engine/access/access-decision';
import type { Predicate } from '../../engine/conditions/grammar';
import { always } from '../../engine/conditions/variables';
import type { Definition, FieldOf } from '../../engine/definitions/definition';
import { allOf, rowRuleFilter } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import { companyScope } from '../access/company-scope';
import { predicateToSql } from '../sql/predicate-to-sql';

/** The records whose share link the caller may read, because they may edit them; undefined: none. */
export function shareableFilter(context: RequestContext, definition: Definition): Predicate | undefined {
  if (!Object.values(definition.fields).some((field) => field.type === 'shareLink')) return undefined;
  if (!decideAccess(context.actor, definition, 'edit').allowed) return undefined;
  const own = definition.scope === 'both' && context.actor.level !== 1;
  const company: Predicate = own
    ? { kind: 'compare', left: 'site_id', operator: '$eq', right: context.actor.site_id }
    : companyScope(context.actor, definition);
  return allOf([company, rowRuleFilter(context, definition, 'edit')]);
}

/** The share link of a row `alias`, for callers who may edit that row. */
export function shareLinkColumns(
  context: RequestContext,
  definition: Definition,
  field: FieldOf<'shareLink'>,
  alias: string,
): readonly (readonly [name: string, expression: RawBuilder<unknown>])[] {
  const where = shareableFilter(context, definition);
  if (!where) return [];
  const link = sql.id(alias, field.name);
  if (where === always) return [[field.name, link]];
  const canEdit = predicateToSql(where, definition, alias, context.registry, context.evaluationContext);
  return [[field.name, sql`(case when ${canEdit} then ${link} end)`]];
}
