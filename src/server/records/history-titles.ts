import { sql } from 'kysely';
import { idOf } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import { visibleTitleSql } from '../sql/operands';

interface HistoryValues {
  readonly old_values: ResourceRecord | null;
  readonly new_values: ResourceRecord | null;
}

/** The titles of the records that a change refers to: field → id → title. */
export type HistoryTitles = Record<string, Record<string, string>>;

/**
 * The titles of the related records, one result per change. As in embeds, whoever may read an id may read its title;
 * deleted users keep their name.
 */
export async function loadHistoryTitles(
  context: RequestContext,
  definition: Definition,
  changes: readonly HistoryValues[],
): Promise<HistoryTitles[]> {
  const idsByResource = new Map<string, Set<number>>();
  const idsPerChange = changes.map((change) => relatedIds(definition, change));
  for (const { to, ids } of idsPerChange.flat()) {
    const all = idsByResource.get(to) ?? new Set<number>();
    for (const id of ids) all.add(id);
    idsByResource.set(to, all);
  }
  const titles = new Map<string, Map<number, string>>();
  for (const [to, ids] of idsByResource)
    titles.set(to, await loadTitles(context, context.registry.getOrThrow(to), [...ids]));
  return idsPerChange.map((fields) =>
    Object.fromEntries(
      fields.map(({ name, to, ids }) => [
        name,
        Object.fromEntries(ids.flatMap((id) => (titles.get(to)!.has(id) ? [[id, titles.get(to)!.get(id)!]] : []))),
      ]),
    ),
  );
}

function relatedIds(definition: Definition, { old_values: old, new_values: fresh }: HistoryValues) {
  return Object.values(definition.fields).flatMap(({ name, to }) => {
    if (to === undefined) return [];
    const ids = [old?.[name], fresh?.[name]].flat().map(idOf);
    const known = ids.filter((id): id is number => typeof id === 'number');
    return known.length > 0 ? [{ name, to, ids: [...new Set(known)] }] : [];
  });
}

/** Titles of records by id, with a fallback for those without a name. Records that no longer exist are left out. */
export async function loadTitles(
  context: RequestContext,
  target: Definition,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; title: string | null }>`select t.id,
      ${visibleTitleSql(context.actor, target, 't', context.registry)}::text as title
    from ${sql.id('public', target.table)} t where t.id = any(${ids}::integer[])`.execute(
    context.program.database.kysely,
  );
  return new Map(rows.map(({ id, title }) => [id, title || `#${id}`]));
}
