import { sql } from 'kysely';
import { isTimeZone } from '../../engine/formats/dates';
import type { Hook } from '../program';
import { assertRecentProof } from '../session/proof';
import { dropProvider } from '../single-sign-on/stored-settings';

/** beforeSave: a company's days begin by a clock that there is; what it takes to sign in is changed after a proof. */
export const guardSite: Hook = async ({ definition, actor, before, values, fail }) => {
  const { time_zone: zone } = values;
  const isChanged = (name: string) => (values[name] ?? null) !== (before?.[name] ?? null);
  if (isChanged('second_factor') || isChanged('second_factor_starts')) assertRecentProof(actor);
  if (typeof zone !== 'string' || isTimeZone(zone)) return;
  fail('time_zone', `${definition.fields.time_zone!.label} must be a name such as Europe/Berlin.`);
};

/**
 * beforeDelete: users who were deleted, but kept for their name, go with their company. Whatever else is left of it
 * keeps it, as any reference does, and them.
 */
export const guardSiteRemoval: Hook = async ({ trx, before }) => {
  // What points at them is looked at when all is done: by then it is gone, or nothing was.
  await sql`set constraints all deferred`.execute(trx);
  await dropProvider(trx, before!.id as number, { domains: true });
  await trx.deleteFrom('users').where('site_id', '=', before!.id).where('deleted_at', 'is not', null).execute();
};
