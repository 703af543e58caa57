import { sql, type RawBuilder } from 'kysely';
import type { Actor } from '../../engine/access/actor';
import type { JobFilter } from './store';

/**
 * The jobs that a user can see and control: their own; owners also those of their company; administrators all. When
 * viewing as another user, what both can see.
 */
export function jobFilter(actor: Actor): JobFilter {
  const own = ownJobFilter(actor);
  if (!actor.viewer) return own;
  const viewers = jobFilter(actor.viewer);
  if (!own || !viewers) return own ?? viewers;
  return sql<boolean>`(${own} and ${viewers})`;
}

function ownJobFilter({ id, level, site_id }: Actor): RawBuilder<boolean> | null {
  if (level === 1) return null;
  if (level === 2) return sql<boolean>`(user_id = ${id} or site_id = ${site_id})`;
  return sql<boolean>`user_id = ${id}`;
}
