import { sql } from 'kysely';
import { isTimeZone } from '../../../engine/formats/dates';
import { isEmpty } from '../../../engine/values/is-empty';
import { requiredMessage } from '../../../engine/validation/messages';
import { Invalid } from '../../errors/errors';
import type { Hook } from '../../program';
import { assertRecentProof } from '../session/identity-proof';
import { deleteProvider } from '../single-sign-on/stored-settings';
import { fieldOf, idOf } from '../../../engine/definitions/accessors';
import { requireValue } from '../../../engine/values/lookups';

/**
 * beforeSave: a company that is added has everything that its form asks for, unlike one that registers with its name
 * alone; its time zone must exist; changing the second-factor requirement needs a recent proof of
 * identity.
 */
export const guardSite: Hook = async (change) => {
  const { definition, actor, previousRow, values } = change;
  const emptyFields = previousRow
    ? []
    : Object.values(definition.fields).filter((field) => field.requiredInForm && isEmpty(values[field.name]));
  if (emptyFields.length > 0)
    throw new Invalid(Object.fromEntries(emptyFields.map((field) => [field.name, requiredMessage(field)])));
  const isChanged = (name: string) => (values[name] ?? null) !== (previousRow?.[name] ?? null);
  if (isChanged('second_factor') || isChanged('second_factor_starts')) assertRecentProof(actor);
  await guardTimeZone(change);
};

/** beforeSave: the time zone exists, if there is one. */
export const guardTimeZone: Hook = async ({ definition, values: { time_zone: zone }, fail }) => {
  if (typeof zone !== 'string' || zone === '' || isTimeZone(zone)) return;
  fail('time_zone', `${fieldOf(definition, 'time_zone').label} must be a name such as Europe/Berlin.`);
};

/**
 * beforeDelete: deletes users of the company that were already deleted, but kept for their names. Any other reference
 * prevents the deletion.
 */
export const guardSiteRemoval: Hook = async ({ trx, previousRow }) => {
  // References are checked at the end of the transaction.
  await sql`set constraints all deferred`.execute(trx);
  const site = idOf(requireValue(previousRow, 'the company to delete'));
  await deleteProvider(trx, site, { domains: true });
  await trx.deleteFrom('users').where('site_id', '=', site).where('deleted_at', 'is not', null).execute();
};
