import { sql } from 'kysely';
import type { Definition } from '../../../engine/definitions/definition';
import { columnTypeOf } from '../../../engine/field-types';
import type { Transaction } from '../../database/database';
import { isRelations } from '../../../engine/field-types/relations';
import { pairTable } from '../../database/identifiers';
import { hasCompanyKey } from '../../sql/same-company';
import { onEngineTables } from '../../database/engine-tables';
import type { Program } from '../../program';
import type { PeriodicWork } from '../../queue/periodic-work';
import { publishRecordChange, sideFields } from '../../records/write/row-writes';
import { recordSecurityEvent } from '../../security-log/security-log';
import { clearAccessCache } from '../session/access-cache';
import { isUnconfirmed } from './unconfirmed';
import { noCompany } from '../../sql/company-key';

/** The maximum number of companies removed per run. */
const maxPerRun = 200;
/** Hours until an empty, unconfirmed and unused registration is removed. */
const emptyCompanyHours = 24;
/** The same for one with records: the lifetime of the confirmation link. */
const usedCompanyHours = 7 * 24;

/** A company without a confirmed address that nobody has used for a day. */
interface UnconfirmedCompany {
  readonly id: number;
  readonly name: string;
  readonly hours: number;
}

/**
 * Removes registered companies whose users never confirmed an address, with all their data, so that nobody can occupy
 * another person's address: after a day without use if the company is empty, otherwise after a week. Without SMTP_URL
 * (mails become files) only empty ones, since nobody was asked to confirm. Returns how many were removed.
 */
export async function removeAbandonedCompanies(program: Program): Promise<number> {
  const { rows } = await sql<UnconfirmedCompany>`select s.id, s.name, extract(epoch from now() - greatest(s.created_at,
      (select max(t.last_used_at) from assay.tokens t join users u on u.id = t.user_id where u.site_id = s.id)))::float8 / 3600 as hours
    from sites s where ${isAbandoned} order by s.id limit ${maxPerRun}`.execute(program.database.kysely);
  let removals = 0;
  for (const company of rows) if (await removeCompany(program, company)) removals++;
  return removals;
}

/**
 * Registered by its own owner, without any confirmed address, and unused for a day. Companies created by an
 * administrator are not abandoned.
 */
const isAbandoned = sql`s.created_at < now() - make_interval(hours => ${emptyCompanyHours})
  and ${isUnconfirmed}
  and not exists (select from users u join assay.tokens t on t.user_id = u.id
    where u.site_id = s.id and t.last_used_at > now() - make_interval(hours => ${emptyCompanyHours}))`;

async function removeCompany(program: Program, { id, name, hours }: UnconfirmedCompany): Promise<boolean> {
  const registry = program.definitions.registry();
  const companyDefinitions = [...registry.definitions.values()].filter(belongsToCompanies);
  return program.database.transaction(async (trx) => {
    // Its state may have changed in the meantime, or another server may be processing it.
    const { rows: abandonedRows } = await sql`select from sites s where s.id = ${id} and ${isAbandoned}
      for update skip locked`.execute(trx);
    if (abandonedRows.length === 0) return false;
    const isEmpty = !(await hasRecords(trx, companyDefinitions, id));
    if (!isEmpty && (hours < usedCompanyHours || program.settings.smtpUrl === undefined)) return false;
    await sql`set constraints all deferred`.execute(trx);
    await removeUserData(trx, id);
    for (const definition of companyDefinitions) await removeRecords(trx, definition, id);
    await onEngineTables(trx)
      .deleteFrom('history')
      .where('site_id', '=', noCompany)
      .where('resource', '=', 'sites')
      .where('record_id', '=', id)
      .execute();
    await sql`delete from sites where id = ${id}`.execute(trx);
    await clearAccessCache(program.database, trx);
    await recordSecurityEvent(
      program,
      { event: 'company_removed', site_id: null, resource: 'sites', record_id: id, subject: name },
      trx,
    );
    for (const definition of [registry.getOrThrow('sites'), ...companyDefinitions])
      publishRecordChange(program, definition, { id, site_id: id }, 'deleted', trx);
    return true;
  });
}

/** The definitions with records of a company, except for the security log, which outlives the users it names. */
function belongsToCompanies({ name, fields, scope }: Definition): boolean {
  return (
    scope !== 'self' && name !== 'security-log' && fields.site_id !== undefined && columnTypeOf(fields.site_id) !== null
  );
}

/** Whether there is anything besides the one who registered. */
async function hasRecords(trx: Transaction, definitions: readonly Definition[], site: number): Promise<boolean> {
  for (const { name, table } of definitions) {
    const { rows } = await sql`select from ${sql.id('public', table)} where site_id = ${site}
      limit ${name === 'users' ? 2 : 1}`.execute(trx);
    if (rows.length > (name === 'users' ? 1 : 0)) return true;
  }
  return false;
}

/** Data stored per user and per company besides records. Stored files are removed by the next sweep. */
async function removeUserData(trx: Transaction, site: number): Promise<void> {
  const people = sql`(select id from users where site_id = ${site})`;
  await sql`delete from assay.mails where (about->>'user_id')::bigint in ${people}
    or lower(about->>'email') in (select lower(email) from users where site_id = ${site}
      and not exists (select from users o where lower(o.email) = lower(users.email) and o.site_id is distinct from ${site}))`.execute(
    trx,
  );
  const byPerson = [
    'tokens',
    'codes',
    'challenges',
    'authenticators',
    'recovery_codes',
    'passkeys',
    'trusted_devices',
    'address_changes',
    'grid_configurations',
    'module_drafts',
    'notifications',
    'told_deadlines',
    'idempotency_keys',
    'import_memories',
    'timers',
    'user_preferences',
    'notice_choices',
    'watches',
  ];
  for (const table of byPerson)
    await sql`delete from ${sql.id('assay', table)} where user_id in ${people}`.execute(trx);
  for (const table of [
    'comments',
    'history',
    'jobs',
    'identity_domains',
    'identity_providers',
    'public_forms',
    'public_records',
    'sample_records',
  ])
    await sql`delete from ${sql.id('assay', table)} where site_id = ${site}`.execute(trx);
}

async function removeRecords(trx: Transaction, definition: Definition, site: number): Promise<void> {
  const table = sql.id('public', definition.table);
  const ids = sql`(select id from ${table} where site_id = ${site})`;
  for (const field of sideFields(definition).filter(isRelations)) {
    const ofCompany = hasCompanyKey(definition) ? sql`site_id = ${site}` : sql`record_id in ${ids}`;
    await sql`delete from ${sql.id('public', pairTable(definition, field))} where ${ofCompany}`.execute(trx);
  }
  await sql`delete from ${table} where site_id = ${site}`.execute(trx);
}

/** The removal of abandoned companies, every hour. */
export function abandonedCompaniesWork(program: Program): PeriodicWork {
  return {
    name: 'abandoned-companies',
    every: 60 * 60,
    failure: 'Removing unconfirmed registrations failed',
    async run() {
      const removals = await removeAbandonedCompanies(program);
      if (removals > 0) program.log.info(`Removed ${removals} unconfirmed registrations.`);
    },
  };
}
