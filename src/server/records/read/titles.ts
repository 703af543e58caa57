import { sql } from 'kysely';
import type { RecordScope } from '../../access/record-scope';
import { runStatement, type Queries } from '../../database/database';
import { visibleTitleSql } from '../../sql/operands';
import { audienceKey, bind, cachedStatement, Placeholder } from './statement-cache';

/** Titles of records by id, with a fallback for those without a name. Records that no longer exist are left out. */
export async function loadTitles(
  { context, definition: target }: RecordScope,
  ids: readonly number[],
  queries: Queries = context.program.database.kysely,
): Promise<Map<number, string>> {
  const plan = cachedStatement(
    context,
    `titles|${audienceKey(context)}|${target.name}`,
    () => sql`select t.id, ${visibleTitleSql(context.actor, target, 't', context.registry)}::text as title
      from ${sql.id('public', target.table)} t where t.id = any(${new Placeholder('ids')}::bigint[])`,
  );
  const rows = await runStatement<{ id: number; title: string | null }>(queries, bind(plan, { ids }));
  return new Map(rows.map(({ id, title }) => [id, title || `#${id}`]));
}
