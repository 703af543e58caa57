import { sql } from 'kysely';
import type { Queries } from '../../database/database';

/** Who requires a second factor of a user, and since when (YYYY-MM-DD); null: it is already required. */
export interface FactorRequirement {
  readonly by: 'role' | 'company';
  readonly from: string | null;
}

/**
 * Whether a user's role or company requires a second factor. Reads whole rows, because a changed definition may lack
 * these fields.
 */
export async function loadFactorRequirement(queries: Queries, userId: number): Promise<FactorRequirement | undefined> {
  const { rows } = await sql<{ role: boolean | null; company: boolean | null; from: string | null }>`select
      (to_jsonb(r) ->> 'second_factor')::boolean as role,
      r.level <= (to_jsonb(s) ->> 'second_factor')::int as company,
      to_jsonb(s) ->> 'second_factor_starts' as from
    from users u join roles r on r.id = u.role_id left join sites s on s.id = u.site_id
    where u.id = ${userId}`.execute(queries);
  const [row] = rows;
  if (row?.role) return { by: 'role', from: null };
  if (!row?.company) return undefined;
  const today = new Date().toISOString().slice(0, 10);
  return { by: 'company', from: row.from !== null && row.from > today ? row.from : null };
}

/** Whether a user must have a second factor now. */
export async function mustHaveFactor(queries: Queries, userId: number): Promise<boolean> {
  const requirement = await loadFactorRequirement(queries, userId);
  return requirement !== undefined && requirement.from === null;
}
