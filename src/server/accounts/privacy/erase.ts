import { sql } from 'kysely';
import type { Definition, Field, ResourceRecord } from '../../../engine/definitions/definition';
import type { Transaction } from '../../database/database';
import { onEngineTables } from '../../database/engine-tables';
import type { Program } from '../../program';
import { storedFields, updateRow } from '../../records/write/row-writes';
import { removeFactors } from '../second-factor/factors';
import { mailboxKey } from '../session/attempts';
import { deleteCodes } from '../session/codes';
import { endAllSignIns } from '../session/sign-ins';
import { idOf, companyOf } from '../../../engine/definitions/accessors';
import { companyKey, companyKeys, companyKeySql, noCompany } from '../../sql/company-key';

/** Fields that affect permissions and say nothing about the person. */
const impersonalFields: ReadonlySet<string> = new Set(['role_id', 'status_id', 'site_id']);

/** The domain of the addresses of erased users: no mail is sent there. */
export const erasedDomain = 'erased.invalid';

/** The name of an erased user. */
export function formerName(id: number): string {
  return `Former user ${id}`;
}

/**
 * Replaces the name of a deleted user and removes all other personal data from the record, its history, the
 * copies that the product keeps of it, notifications that name them, and published versions of definitions. Removes what only they used: sessions,
 * second factors, notifications, queued mails. Returns the record after the change. Images and files are removed by the
 * next daily sweep, since no record refers to them any more.
 */
export async function erasePerson(program: Program, trx: Transaction, definition: Definition, user: ResourceRecord) {
  const id = idOf(user);
  const knownNames = await loadKnownNames(trx, user);
  const replacement: ResourceRecord = {
    first_name: 'Former user',
    last_name: String(id),
    email: `former-user-${id}@${erasedDomain}`,
  };
  const personal = storedFields(definition).filter((field) => isPersonal(field));
  const clearedValues = Object.fromEntries(personal.map(({ name }) => [name, replacement[name] ?? null]));
  const now = new Date(Math.max(Date.now(), Date.parse(String(user.updated_at)) + 1)).toISOString();
  const erasedRow: ResourceRecord = { ...user, ...clearedValues, updated_at: now };
  await updateRow(definition, id, erasedRow, new Set([...Object.keys(clearedValues), 'updated_at']), trx);
  await rewriteHistory(
    trx,
    definition.name,
    sql`h.site_id = ${companyKey(definition, user)} and h.record_id = ${id}`,
    Object.keys(clearedValues),
    replacement,
  );
  await eraseFromCopies(program, trx, id, String(replacement.email));
  await erasePersonalTables(trx, id, knownNames.addresses);
  await renameInNotifications(trx, companyOf(user), knownNames, id);
  await renameInComments(trx, id, knownNames);
  await eraseElsewhere(trx, id, knownNames);
  for (const resource of ['views', 'pages', 'snippets']) await deletePrivate(program, trx, resource, id);
  await forgetDeletions(trx, companyOf(user));
  return erasedRow;
}

function isPersonal({ name, system, to: target }: Field): boolean {
  return !system && target === undefined && !impersonalFields.has(name);
}

interface KnownNames {
  /** Every full name that the person ever had. */
  readonly names: readonly string[];
  readonly addresses: readonly string[];
}

/** Every name and address that a user ever had, according to the history. */
async function loadKnownNames(trx: Transaction, user: ResourceRecord): Promise<KnownNames> {
  const entries = (column: string) => sql`assay.history h, jsonb_each_text(coalesce(${sql.id('h', column)}, '{}')) f
    where h.site_id = ${companyOf(user) ?? noCompany} and h.resource = 'users' and h.record_id = ${user.id}
      and f.key in ('first_name', 'last_name', 'email')`;
  const { rows } = await sql<{ name: string; value: string }>`select distinct f.key as name, f.value
    from ${entries('old_values')} union select f.key, f.value from ${entries('new_values')}`.execute(trx);
  const valuesOf = (fieldName: string) => [
    ...new Set([
      String(user[fieldName] ?? ''),
      ...rows.filter(({ name }) => name === fieldName).map(({ value }) => value),
    ]),
  ];
  const names = valuesOf('first_name').flatMap((first) =>
    valuesOf('last_name').map((last) => `${first} ${last}`.trim()),
  );
  return { names: names.filter(Boolean), addresses: valuesOf('email').filter(Boolean) };
}

/** Replaces the values of some fields in the history, and removes those without a replacement. */
async function rewriteHistory(
  trx: Transaction,
  resource: string,
  rowCondition: ReturnType<typeof sql>,
  names: readonly string[],
  replacement: ResourceRecord,
): Promise<void> {
  const rewritten = (column: 'old_values' | 'new_values') => sql`(${sql.ref(`h.${column}`)} - ${names}::text[])
    || coalesce((select jsonb_object_agg(r.key, r.value) from jsonb_each(${JSON.stringify(replacement)}::jsonb) r
      where ${sql.ref(`h.${column}`)} ? r.key), '{}')`;
  await sql`update assay.history h set old_values = ${rewritten('old_values')}, new_values = ${rewritten('new_values')}
    where h.resource = ${resource} and ${rowCondition}`.execute(trx);
}

/** Records of some resources contain a copy of their author's name and address. */
async function eraseFromCopies(program: Program, trx: Transaction, id: number, email: string): Promise<void> {
  for (const [resource, copyColumns] of Object.entries(program.product.authorCopies)) {
    const definition = program.definitions.registry().get(resource);
    if (!definition) continue;
    const replacement = { [copyColumns.name]: formerName(id), [copyColumns.email]: email };
    const { rows } = await sql<{ id: number; site_id: number }>`update ${sql.table(definition.table)} t
      set ${sql.ref(copyColumns.name)} = ${formerName(id)}, ${sql.ref(copyColumns.email)} = ${email}
      where created_by = ${id} returning t.id, ${companyKeySql(definition, 't')} as site_id`.execute(trx);
    const ids = rows.map((row) => row.id);
    const rowCondition = sql`h.site_id = any(${companyKeys(definition, rows)}::bigint[]) and h.record_id = any(${ids}::bigint[])`;
    await rewriteHistory(trx, resource, rowCondition, Object.keys(replacement), replacement);
  }
}

async function erasePersonalTables(trx: Transaction, id: number, addresses: readonly string[]): Promise<void> {
  await endAllSignIns(trx, id);
  await deleteCodes(trx, id);
  await removeFactors(trx, id);
  const personalTables = [
    'confirmed_addresses',
    'address_changes',
    'grid_configurations',
    'identities',
    'notifications',
    'import_memories',
    'user_preferences',
    'notice_choices',
    'timers',
    'watches',
  ];
  for (const table of personalTables)
    await sql`delete from ${sql.id('assay', table)} where user_id = ${id}`.execute(trx);
  const lower = addresses.map((address) => address.toLowerCase());
  await sql`delete from assay.mails where about->>'user_id' = ${String(id)}
    or lower(about->>'email') = any(${lower}::text[])
    or lower(about #>> '{message,to,address}') = any(${lower}::text[])`.execute(trx);
}

/** Notifications name who did something: those of the company's people, and of the installation's administrators. */
async function renameInNotifications(
  trx: Transaction,
  site: number | null,
  knownNames: KnownNames,
  id: number,
): Promise<void> {
  const rowCondition =
    site === null
      ? sql`true`
      : sql`n.user_id in (select u.id from users u where u.site_id = ${site} or u.site_id is null)`;
  const texts = [...knownNames.names, ...knownNames.addresses].sort((left, right) => right.length - left.length);
  for (const text of texts) {
    const replaceName = (column: string) => sql`replace(${sql.ref(column)}, ${text}, ${formerName(id)})`;
    await sql`update assay.notifications n set title = ${replaceName('n.title')}, content = ${replaceName('n.content')}
      where ${rowCondition} and (strpos(n.title, ${text}) > 0 or strpos(n.content, ${text}) > 0)`.execute(trx);
  }
}

/** As the sanitizer of comments writes a text. */
const asMarkup = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Comments that mention somebody contain the name, also as they were before they were changed. */
async function renameInComments(trx: Transaction, id: number, { names }: KnownNames): Promise<void> {
  for (const name of [...names].sort((left, right) => right.length - left.length)) {
    const replaceName = (column: string) => sql`replace(${sql.ref(column)}, ${asMarkup(name)}, ${formerName(id)})`;
    const mentioningComments = sql`c.id in (select o.id from assay.comments o where ${id} = any(o.mentioned))`;
    await sql`update assay.comments c set text = ${replaceName('c.text')} where ${mentioningComments}`.execute(trx);
    await sql`update assay.comment_versions v set text = ${replaceName('v.text')}
      from assay.comments c where c.id = v.comment_id and ${mentioningComments}`.execute(trx);
  }
}

/**
 * Versions of definitions contain a copy of their author's name. Stored responses for repeated calls may contain the
 * person's record, so they are removed, like data stored under the hash of an address.
 */
async function eraseElsewhere(trx: Transaction, id: number, { addresses, names }: KnownNames): Promise<void> {
  const engineTables = onEngineTables(trx);
  await engineTables
    .updateTable('module_versions')
    .set({ user_name: formerName(id) })
    .where('user_id', '=', id)
    .execute();
  await engineTables.deleteFrom('idempotency_keys').where('user_id', '=', id).execute();
  const words = [...new Set([...addresses, ...names.flatMap((name) => [name, ...name.split(' ')])])].filter(
    (word) => word.length > 2,
  );
  await sql`update assay.idempotency_keys set answer = null
    where exists (select from unnest(${words}::text[]) word where strpos(lower(answer), lower(word)) > 0)`.execute(trx);
  const keys = addresses.map((address) => mailboxKey(address));
  for (const table of ['sign_in_guards', 'known_networks'])
    await sql`delete from ${sql.id('assay', table)} where key = any(${keys}::text[])`.execute(trx);
}

/** Views and pages that nobody else sees go with the person; those that are shared stay. */
async function deletePrivate({ definitions }: Program, trx: Transaction, resource: string, id: number): Promise<void> {
  const definition = definitions.registry().get(resource);
  if (!definition) return;
  await sql`with gone as (delete from ${sql.id('public', definition.table)} t
      where created_by = ${id} and audience = 'me' returning t.id, ${companyKeySql(definition, 't')} as site_id)
    delete from assay.history h using gone where h.site_id = gone.site_id and h.resource = ${definition.name} and h.record_id = gone.id`.execute(
    trx,
  );
}

/** Records deleted within the last hour may contain a name or an address, so they cannot be restored any more. */
async function forgetDeletions(trx: Transaction, site: number | null): Promise<void> {
  const companyCondition = site === null ? sql`true` : sql`site_id in (${site}, ${noCompany})`;
  await sql`delete from assay.deletions where ${companyCondition}`.execute(trx);
}
