import { sql } from 'kysely';
import { idOf } from '../../engine/conditions/variables';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import { knownTitleSql } from '../conditions/columns';

interface Values {
  readonly old_values: ResourceRecord | null;
  readonly new_values: ResourceRecord | null;
}

/** The titles of the records that a change names: field → id → title. */
export type HistoryNames = Record<string, Record<string, string>>;

/**
 * What the related records in some changes are called, one answer a change. As in embeds, an id that may be read may be
 * read by its title too; who has left keeps the name.
 */
export async function historyNames(
  context: RequestContext,
  definition: Definition,
  changes: readonly Values[],
): Promise<HistoryNames[]> {
  const wanted = new Map<string, Set<number>>();
  const each = changes.map((change) => idsOf(definition, change));
  for (const { to, ids } of each.flat()) {
    const all = wanted.get(to) ?? new Set<number>();
    for (const id of ids) all.add(id);
    wanted.set(to, all);
  }
  const titles = new Map<string, Map<number, string>>();
  for (const [to, ids] of wanted) titles.set(to, await titlesOf(context, context.registry.need(to), [...ids]));
  return each.map((fields) =>
    Object.fromEntries(
      fields.map(({ name, to, ids }) => [
        name,
        Object.fromEntries(ids.flatMap((id) => (titles.get(to)!.has(id) ? [[id, titles.get(to)!.get(id)!]] : []))),
      ]),
    ),
  );
}

function idsOf(definition: Definition, { old_values: old, new_values: fresh }: Values) {
  return Object.values(definition.fields).flatMap(({ name, to }) => {
    if (to === undefined) return [];
    const ids = [old?.[name], fresh?.[name]].flat().map(idOf);
    const known = ids.filter((id): id is number => typeof id === 'number');
    return known.length > 0 ? [{ name, to, ids: [...new Set(known)] }] : [];
  });
}

/** What records are called, by their ids, also where they have no name; those that are gone for good are left out. */
export async function titlesOf(
  context: RequestContext,
  target: Definition,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; title: string | null }>`select t.id,
      ${knownTitleSql(context.actor, target, 't', context.registry)}::text as title
    from ${sql.id('public', target.table)} t where t.id = any(${ids}::integer[])`.execute(
    context.program.database.kysely,
  );
  return new Map(rows.map(({ id, title }) => [id, title || `#${id}`]));
}
