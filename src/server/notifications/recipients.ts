import { sql, type RawBuilder } from 'kysely';
import { activeStatus } from '../accounts/users/user-status';

/**
 * Whether the account of a user `u` is active, so that they can be notified.
 *
 * @example sql`select u.id from users u where u.site_id = ${site} and ${isActiveRecipient()}`;
 */
export function isActiveRecipient(): RawBuilder<boolean> {
  return sql`(u.status_id = ${sql.lit(activeStatus)} and u.deleted_at is null)`;
}
