import { sql } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import type { Transaction } from '../../database/database';
import { storedFields, updateRow } from '../../records/store';
import { dropFactors } from '../../second-factor/factors';
import { mailboxKey } from '../../session/attempts';
import { endCodes } from '../../session/codes';
import { endSignInsOf } from '../../session/sign-ins';

/** What decides what somebody might do, and says nothing of who they were. */
const impersonal: ReadonlySet<string> = new Set(['role_id', 'status_id', 'site_id']);

/** Addresses of people who were erased: nobody gets mail there. */
export const erasedDomain = 'erased.invalid';

/** What somebody is called once nothing of them is left. */
export function formerName(id: number): string {
  return `Former user ${id}`;
}

/**
 * Replaces the name of a deleted user, and removes whatever else their record says of them; the same in the history of
 * that record, in tickets they raised, in notifications that name them and in versions of definitions that they
 * published. What only they used is removed: sign-ins, second factors, notifications, mails on their way. Answers the
 * record as it then is. Pictures and files go with the
 * next daily sweep, since no record names them any more.
 */
export async function erasePerson(trx: Transaction, definition: Definition, user: ResourceRecord) {
  const id = user.id as number;
  const known = await knownOf(trx, user);
  const replacement: ResourceRecord = {
    first_name: 'Former user',
    last_name: String(id),
    email: `former-user-${id}@${erasedDomain}`,
  };
  const personal = storedFields(definition).filter((field) => isPersonal(field));
  const cleared = Object.fromEntries(personal.map(({ name }) => [name, replacement[name] ?? null]));
  const now = new Date(Math.max(Date.now(), Date.parse(String(user.updated_at)) + 1)).toISOString();
  const after: ResourceRecord = { ...user, ...cleared, updated_at: now };
  await updateRow(definition, id, after, new Set([...Object.keys(cleared), 'updated_at']), trx);
  await rewriteHistory(trx, definition.name, sql`h.record_id = ${id}`, Object.keys(cleared), replacement);
  await eraseFromTickets(trx, id, replacement);
  await eraseOwn(trx, id, known.addresses);
  await renameInNotifications(trx, user.site_id as number | null, known, id);
  await forgetElsewhere(trx, id, known);
  return after;
}

function isPersonal({ name, system, to }: Field): boolean {
  return !system && to === undefined && !impersonal.has(name);
}

interface Known {
  /** Every full name that the person ever had. */
  readonly names: readonly string[];
  readonly addresses: readonly string[];
}

/** What somebody was ever called, as their history says. */
async function knownOf(trx: Transaction, user: ResourceRecord): Promise<Known> {
  const { rows } = await sql<{ name: string; value: string }>`select distinct f.key as name, f.value
    from assay.history h, jsonb_each_text(coalesce(h.old_values, '{}')) f
    where h.resource = 'users' and h.record_id = ${user.id} and f.key in ('first_name', 'last_name', 'email')
    union select f.key, f.value from assay.history h, jsonb_each_text(coalesce(h.new_values, '{}')) f
    where h.resource = 'users' and h.record_id = ${user.id} and f.key in ('first_name', 'last_name', 'email')`.execute(
    trx,
  );
  const all = (wanted: string) => [
    ...new Set([String(user[wanted] ?? ''), ...rows.filter(({ name }) => name === wanted).map(({ value }) => value)]),
  ];
  const names = all('first_name').flatMap((first) => all('last_name').map((last) => `${first} ${last}`.trim()));
  return { names: names.filter(Boolean), addresses: all('email').filter(Boolean) };
}

/** Replaces values of some fields in lines of history, and removes those that have no replacement. */
async function rewriteHistory(
  trx: Transaction,
  resource: string,
  where: ReturnType<typeof sql>,
  names: readonly string[],
  replacement: ResourceRecord,
): Promise<void> {
  const rewritten = (column: 'old_values' | 'new_values') => sql`(${sql.ref(`h.${column}`)} - ${names}::text[])
    || coalesce((select jsonb_object_agg(r.key, r.value) from jsonb_each(${JSON.stringify(replacement)}::jsonb) r
      where ${sql.ref(`h.${column}`)} ? r.key), '{}')`;
  await sql`update assay.history h set old_values = ${rewritten('old_values')}, new_values = ${rewritten('new_values')}
    where h.resource = ${resource} and ${where}`.execute(trx);
}

/** A ticket says who raised it in words of its own. */
async function eraseFromTickets(trx: Transaction, id: number, { email }: ResourceRecord): Promise<void> {
  const replacement = { name: formerName(id), email };
  const { rows } = await sql<{ id: number }>`update support_tickets set name = ${replacement.name}, email = ${email}
    where created_by = ${id} returning id`.execute(trx);
  const ids = rows.map((row) => row.id);
  await rewriteHistory(
    trx,
    'support-tickets',
    sql`h.record_id = any(${ids}::integer[])`,
    ['name', 'email'],
    replacement,
  );
}

async function eraseOwn(trx: Transaction, id: number, addresses: readonly string[]): Promise<void> {
  await endSignInsOf(trx, id);
  await endCodes(trx, id);
  await dropFactors(trx, id);
  const own = [
    'confirmed_addresses',
    'address_changes',
    'grid_configurations',
    'identities',
    'notifications',
    'import_memories',
  ];
  for (const table of own) await sql`delete from ${sql.id('assay', table)} where user_id = ${id}`.execute(trx);
  const lower = addresses.map((address) => address.toLowerCase());
  await sql`delete from assay.mails where about->>'user_id' = ${String(id)}
    or lower(about->>'email') = any(${lower}::text[])
    or lower(about #>> '{message,to,address}') = any(${lower}::text[])`.execute(trx);
}

/** Notifications name who did something: those of the company's people, and of the installation's administrators. */
async function renameInNotifications(trx: Transaction, site: number | null, known: Known, id: number): Promise<void> {
  const whose =
    site === null
      ? sql`true`
      : sql`n.user_id in (select u.id from users u where u.site_id = ${site} or u.site_id is null)`;
  const texts = [...known.names, ...known.addresses].sort((one, other) => other.length - one.length);
  for (const text of texts) {
    const replaced = (column: string) => sql`replace(${sql.ref(column)}, ${text}, ${formerName(id)})`;
    await sql`update assay.notifications n set title = ${replaced('n.title')}, content = ${replaced('n.content')}
      where ${whose} and (strpos(n.title, ${text}) > 0 or strpos(n.content, ${text}) > 0)`.execute(trx);
  }
}

/**
 * Versions of definitions say who published them in words of their own. Answers that are kept for calls that are repeated
 * may hold the person's record: they are not given again. What is known of an address by its hash is removed too.
 */
async function forgetElsewhere(trx: Transaction, id: number, { addresses, names }: Known): Promise<void> {
  await sql`update assay.module_versions set user_name = ${formerName(id)} where user_id = ${id}`.execute(trx);
  await sql`delete from assay.idempotency_keys where user_id = ${id}`.execute(trx);
  const words = [...new Set([...addresses, ...names.flatMap((name) => [name, ...name.split(' ')])])].filter(
    (word) => word.length > 2,
  );
  await sql`update assay.idempotency_keys set answer = null
    where exists (select from unnest(${words}::text[]) word where strpos(lower(answer), lower(word)) > 0)`.execute(trx);
  const keys = addresses.map((address) => mailboxKey(address));
  for (const table of ['sign_in_guards', 'known_networks'])
    await sql`delete from ${sql.id('assay', table)} where key = any(${keys}::text[])`.execute(trx);
}
