import { Level } from '../../engine/definitions/level';
import { sql, type RawBuilder } from 'kysely';
import type { Actor } from '../../engine/access/actor';
import { isGranted } from '../../engine/access/access-decision';
import type { JobKind } from './job';
import type { JobFilter } from './store';

/**
 * The jobs that a user can see and control: their own; owners also those of their company; administrators all. A service
 * account that is limited to scopes: its own of the kinds that it may start. When viewing as another user, what both can
 * see.
 */
export function jobFilter(actor: Actor, kinds: ReadonlyMap<string, JobKind>): JobFilter {
  if (actor.beyondScopes) return scopedJobFilter(actor, kinds);
  const ownJobs = ownJobFilter(actor);
  if (!actor.viewer) return ownJobs;
  const viewers = jobFilter(actor.viewer, kinds);
  if (!ownJobs || !viewers) return ownJobs ?? viewers;
  return sql<boolean>`(${ownJobs} and ${viewers})`;
}

function scopedJobFilter(actor: Actor, kinds: ReadonlyMap<string, JobKind>): RawBuilder<boolean> {
  const names = [...kinds.values()].flatMap(({ name, grant }) =>
    isGranted(actor, grant.resource, grant.action) ? [name] : [],
  );
  return sql<boolean>`(user_id = ${actor.id} and kind = any(${names}::text[]))`;
}

function ownJobFilter({ id, level, site_id }: Actor): RawBuilder<boolean> | null {
  if (level === Level.Installation) return null;
  if (level === Level.Owner) return sql<boolean>`(user_id = ${id} or site_id = ${site_id})`;
  return sql<boolean>`user_id = ${id}`;
}
