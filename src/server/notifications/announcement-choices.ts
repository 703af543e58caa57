import { Level } from '../../engine/definitions/level';
import { sql } from 'kysely';
import type { Actor } from '../../engine/access/actor';
import { sortByMatch } from '../../engine/lists/search-rank';
import type { Queries } from '../database/database';
import { activeStatus } from '../accounts/users/user-status';

/** The filter of choices: part of a title, or some ids. */
interface ChoicesQuery {
  readonly q?: string;
  readonly ids?: readonly (number | undefined)[];
}

interface Recipient {
  readonly id: number;
  readonly title: string;
}

/** Choices that travel at a time. */
const page = 50;

/** The users or roles that an announcement can be for: the first ones that match the query. */
export async function announcementChoices(
  queries: Queries,
  actor: Actor,
  field: 'user_ids' | 'role_ids',
  { q = '', ids }: ChoicesQuery,
) {
  const recipients: readonly Recipient[] = await (field === 'user_ids' ? reachableUsers : reachableRoles)(
    queries,
    actor,
  );
  const text = q.toLowerCase();
  const matchingRecipients = recipients.filter(
    (recipient) => recipient.title.toLowerCase().includes(text) && (!ids || ids.includes(recipient.id)),
  );
  return sortByMatch(matchingRecipients, text)
    .slice(0, page)
    .map((recipient) => ({ id: recipient.id, title: recipient.title }));
}

/** The active users of the company; for level 1 all of them. */
export async function reachableUsers(
  queries: Queries,
  { level, site_id }: Actor,
): Promise<(Recipient & { readonly role_id: number })[]> {
  const users = queries
    .selectFrom('users')
    .select(['id', 'role_id', sql<string>`concat_ws(' ', first_name, last_name)`.as('title')])
    .where('deleted_at', 'is', null)
    .where('status_id', '=', activeStatus)
    .orderBy('title');
  return (await (level === Level.Installation ? users : users.where('site_id', '=', site_id)).execute()) as never;
}

/** The roles that users of the company can have; for level 1 all of them. */
export async function reachableRoles(queries: Queries, { level, site_id }: Actor): Promise<Recipient[]> {
  const roles = queries.selectFrom('roles').select(['id', 'role_name as title']).orderBy('id');
  const companyRoles = roles.where((eb) => eb.or([eb('site_id', 'is', null), eb('site_id', '=', site_id)]));
  return (await (level === Level.Installation ? roles : companyRoles).execute()) as Recipient[];
}
