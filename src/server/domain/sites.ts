import { sql } from 'kysely';
import type { Hook } from '../program';

/** beforeDelete: a company goes only when nothing of it is left but users that were deleted, who go with it. */
export const guardSiteRemoval: Hook = async ({ program, trx, before, definition, conflict }) => {
  const left: string[] = [];
  for (const { definition: other, field } of program.definitions.registry().referencesTo(definition.name)) {
    if (field.name !== 'site_id') continue;
    let rows = trx
      .selectFrom(other.table)
      .select(sql<number>`count(*)`.as('count'))
      .where('site_id', '=', before!.id);
    if (other.delete.keep) rows = rows.where('deleted_at', 'is', null);
    const { count } = await rows.executeTakeFirstOrThrow();
    if (count > 0) left.push(`${count} ${(count === 1 ? other.labels.one : other.labels.many).toLowerCase()}`);
  }
  if (left.length > 0) conflict(`${definition.labels.one} is used by ${listed(left)}.`);
  await trx.deleteFrom('users').where('site_id', '=', before!.id).execute();
};

function listed(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
}
