import { sql } from 'kysely';
import { accessFilterIfGranted } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { runStatement, type Queries } from '../../database/database';
import { mayReadTitle } from '../../records/choices/choices';
import {
  audienceKey,
  bind,
  cachedGenericStatement,
  conditionKey,
  Placeholder,
} from '../../records/read/statement-cache';
import { visibleTitleSql } from '../../sql/operands';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { itemAt } from '../../../engine/values/lookups';

/** The link of a notification, which may lead to a record. */
interface Linked {
  readonly link: string | null;
}

/** The record that the link of a notification leads to; undefined if it leads elsewhere. */
export function recordOf(link: string | null): { readonly resource: string; readonly id: number } | undefined {
  const match = /^\/([a-z][a-z0-9-]*)\/(\d{1,16})$/.exec(link ?? '');
  return match ? { resource: itemAt(match, 1), id: Number(match[2]) } : undefined;
}

/**
 * Of notifications `n`: those that are not about a comment, and those whose comment is still there; of mentions, those
 * that it still makes. `internalOf`: the resources whose internal comments their reader reads.
 */
export const isStillSaid = (
  internalOf: unknown,
) => sql<boolean>`(n.comment_id is null or exists (select from assay.comments c
  where c.id = n.comment_id and c.deleted_at is null and (not c.internal or c.resource = any(${internalOf}::text[]))
    and (n.occasion is distinct from 'record_mentioned' or n.user_id = any(c.mentioned))))`;

/** By link, the titles of the records that the caller may view: one statement for each resource. */
export async function visibleTitles(
  context: RequestContext,
  queries: Queries,
  notices: readonly Linked[],
): Promise<ReadonlyMap<string, string>> {
  const { actor, registry, evaluationContext } = context;
  const idsByResource = new Map<string, Set<number>>();
  for (const { link } of notices) {
    const linkedRecord = recordOf(link);
    if (linkedRecord)
      idsByResource.set(
        linkedRecord.resource,
        (idsByResource.get(linkedRecord.resource) ?? new Set()).add(linkedRecord.id),
      );
  }
  const titles = new Map<string, string>();
  for (const [resource, ids] of idsByResource) {
    const definition = registry.get(resource);
    const filter = definition && accessFilterIfGranted(context, definition, 'view', { archived: 'any' });
    if (!filter) continue;
    const key = `noticed|${audienceKey(context)}|${conditionKey(context, definition, filter)}`;
    const plan = cachedGenericStatement(context, key, () => {
      const rowCondition = predicateToSql(filter, definition, 't', registry, evaluationContext);
      return sql`select t.id, ${visibleTitleSql(actor, definition, 't', registry)}::text as title
        from ${sql.id('public', definition.table)} t where t.id = any(${new Placeholder('ids')}::bigint[]) and ${rowCondition}`;
    });
    const rows = await runStatement<{ id: number; title: string | null }>(queries, bind(plan, { ids: [...ids] }));
    const isReadable = mayReadTitle(actor, definition);
    for (const { id, title } of rows) {
      const untitled = `${definition.labels.one} #${id}`;
      titles.set(`/${resource}/${id}`, isReadable && title ? `${definition.labels.one}: ${title}` : untitled);
    }
  }
  return titles;
}
