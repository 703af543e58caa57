import { sql } from 'kysely';
import type { Queries } from '../../database/database';

/** Whether a company `s` was registered by its own owner, and none of its addresses was confirmed. */
export const isUnconfirmed = sql<boolean>`exists (select from users u where u.id = s.created_by and u.site_id = s.id)
  and not exists (select from users u join assay.confirmed_addresses c on c.user_id = u.id where u.site_id = s.id)
  and not exists (select from users u join assay.identities i on i.user_id = u.id where u.site_id = s.id)`;

/** Whether nobody has confirmed the registration of a company (null: of the installation, which nobody registers). */
export async function isUnconfirmedCompany(queries: Queries, site: number | null): Promise<boolean> {
  if (site === null) return false;
  const { rows } = await sql`select from sites s where s.id = ${site} and ${isUnconfirmed}`.execute(queries);
  return rows.length > 0;
}
