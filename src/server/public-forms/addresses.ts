import { Level } from '../../engine/definitions/level';
import { sql } from 'kysely';
import { isGranted } from '../../engine/access/access-decision';
import type { Actor } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import type { Queries } from '../database/database';
import { onEngineTables } from '../database/engine-tables';
import { BadRequest, Forbidden, Invalid, NotFound } from '../errors/errors';
import { appLink } from '../mail/app-link';
import { createToken } from '../records/write/input';
import { recordSecurityEvent } from '../security-log/security-log';

/** The addresses of one resource and company that are open at a time. */
const maxAddresses = 50;

/** An address of a public form, which is open until it is revoked. */
export interface FormAddress {
  readonly id: number;
  readonly resource: string;
  readonly site_id: number;
  readonly created_at: string;
  /** Where the form is. */
  readonly address: string;
}

/** Whether somebody makes and revokes addresses: owners of their company, and administrators of the installation. */
export function managesAddresses(actor: Actor): boolean {
  return actor.level <= Level.Owner && actor.viewer === undefined;
}

/** The open addresses of a resource that the caller may see, the oldest first. Throws Forbidden and NotFound. */
export async function listAddresses(context: RequestContext, resource: string): Promise<FormAddress[]> {
  const definition = formDefinition(context, resource);
  const { actor, program } = context;
  let query = onEngineTables(program.database.kysely)
    .selectFrom('public_forms')
    .selectAll()
    .where('resource', '=', definition.name)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .limit(1000);
  if (actor.site_id !== null) query = query.where('site_id', '=', actor.site_id);
  return (await query.execute()).map((row) => toAddress(context, row));
}

/** Makes an address of a company's form. Throws Forbidden, NotFound, Invalid without a company, and BadRequest for too many. */
export async function createAddress(
  context: RequestContext,
  resource: string,
  company: number | undefined,
): Promise<FormAddress> {
  const definition = formDefinition(context, resource);
  if (!definition.public?.create) throw new NotFound();
  const { actor, program } = context;
  const site = actor.site_id ?? company;
  if (site === undefined) throw new Invalid({ site_id: 'Company is required.' });
  if (actor.site_id !== null && company !== undefined && company !== actor.site_id) throw new NotFound();
  return program.database.transaction(async (trx) => {
    await assertCompany(trx, site);
    const tables = onEngineTables(trx);
    const { open } = await tables
      .selectFrom('public_forms')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('resource', '=', definition.name)
      .where('site_id', '=', site)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(open) >= maxAddresses)
      throw new BadRequest(`A company has at most ${maxAddresses} open addresses of a form. Revoke one first.`);
    const row = await tables
      .insertInto('public_forms')
      .values({ resource: definition.name, site_id: site, key: createToken() })
      .returningAll()
      .executeTakeFirstOrThrow();
    const subjectFields = {
      resource: definition.name,
      record_id: row.id,
      subject: definition.labels.many,
      site_id: site,
    };
    await recordSecurityEvent(program, { event: 'public_form_created', actor, ...subjectFields }, trx);
    return toAddress(context, row);
  });
}

/** Revokes an address: nobody can open it or send anything any more. Throws NotFound. */
export async function revokeAddress(context: RequestContext, id: number): Promise<void> {
  const { actor, program } = context;
  await program.database.transaction(async (trx) => {
    let query = onEngineTables(trx)
      .updateTable('public_forms')
      .set({ revoked_at: new Date() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null);
    if (actor.site_id !== null) query = query.where('site_id', '=', actor.site_id);
    const row = await query.returningAll().executeTakeFirst();
    if (!row) throw new NotFound();
    const subject = context.registry.get(row.resource)?.labels.many ?? row.resource;
    const subjectFields = { resource: row.resource, record_id: id, subject, site_id: row.site_id };
    await recordSecurityEvent(program, { event: 'public_form_revoked', actor, ...subjectFields }, trx);
  });
}

function formDefinition({ registry, actor }: RequestContext, resource: string): Definition {
  const definition = registry.get(resource);
  if (!definition) throw new NotFound();
  if (!isGranted(actor, definition.name, 'create'))
    throw new Forbidden(`You may not add ${definition.labels.many}, so you cannot open a form for them.`);
  return definition;
}

async function assertCompany(trx: Queries, company: number): Promise<void> {
  const { rows } = await sql`select from public.sites where id = ${company}`.execute(trx);
  if (rows.length === 0) throw new NotFound();
}

function toAddress(
  { program }: RequestContext,
  row: { id: number; resource: string; site_id: number; created_at: string; key: string },
): FormAddress {
  const { id, resource, site_id, created_at, key } = row;
  return { id, resource, site_id, created_at, address: appLink(program, `/form/${key}`) };
}
