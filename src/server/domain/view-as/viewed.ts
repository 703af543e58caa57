import { isGranted } from '../../../engine/access/decide';
import { nobody, type Actor } from '../../../engine/access/actor';
import { reach } from '../../access/reach';
import { RequestContext } from '../../access/request-context';
import { predicateToSql } from '../../conditions/to-sql';
import type { Row } from '../../database/database';
import { BadRequest, NotFound, Refused } from '../../errors/errors';
import { permissionsOf } from '../../permissions/grants';
import type { Program } from '../../program';
import { accountOfUser, actorOf, type Account } from '../accounts';
import type { Asked } from './header';

/** The user or role that somebody views as: the actor for their requests, and a name. */
export interface Viewed {
  readonly actor: Actor;
  /** The person's name, or the role's. */
  readonly name: string;
  readonly account: Omit<Account, 'password' | 'mayEnter'>;
}

/** The lowest level that can view as others. */
const lowest = 2;

/** Whether a user can view as others: administrators of the installation and owners, if they can see roles. */
export function mayViewAs(actor: Actor): boolean {
  return actor.level <= lowest && isGranted(actor, 'roles', 'view');
}

/** Throws Refused for a user who cannot view as others. */
export function mustBeViewer(actor: Actor): void {
  if (mayViewAs(actor)) return;
  throw new Refused('Only administrators and company owners can view Assay as another user.');
}

/**
 * Finds the user or role to view as. Throws NotFound if the viewer cannot see it, Refused if they cannot view as it,
 * BadRequest if a role lacks a company.
 */
export async function findViewed(program: Program, viewer: Actor, asked: Asked): Promise<Viewed> {
  mustBeViewer(viewer);
  const context = new RequestContext(program, viewer);
  return asked.kind === 'user' ? userOf(context, asked.id) : roleOf(context, asked);
}

async function userOf(context: RequestContext, id: number): Promise<Viewed> {
  const { program, actor: viewer } = context;
  await seen(context, 'users', id);
  const account = await accountOfUser(program.database.kysely, id);
  if (!account) throw new NotFound();
  const name = [account.first_name, account.last_name].filter(Boolean).join(' ');
  mustNotBeAbove(viewer, account.level, name);
  if (!account.mayEnter) throw new Refused(`${name} has no active account, so you cannot view Assay as them.`);
  const actor = await actorOf(program.database.kysely, account);
  return { actor: { ...actor, viewer }, name, account };
}

async function roleOf(context: RequestContext, { id, site }: Extract<Asked, { kind: 'role' }>): Promise<Viewed> {
  const { program, actor: viewer } = context;
  const { kysely } = program.database;
  const role = await seen(context, 'roles', id);
  const [name, level] = [role.role_name as string, role.level as Actor['level']];
  mustNotBeAbove(viewer, level, name);
  const company = level === 1 ? null : ((role.site_id as number | null) ?? viewer.site_id ?? site ?? null);
  if (site !== undefined && site !== company) throw new NotFound();
  if (level !== 1 && company === null) {
    throw new BadRequest('X-View-As must name a company for this role, such as "role 4 site 2".');
  }
  const place = company === null ? undefined : await seen(context, 'sites', company);
  const site_name = (place?.name as string | undefined) ?? null;
  return {
    actor: { id: nobody, role_id: id, level, site_id: company, permissions: await permissionsOf(kysely, id), viewer },
    name,
    account: {
      id: nobody,
      first_name: name,
      last_name: '',
      email: '',
      site_id: company,
      site_name,
      role_id: id,
      role_name: name,
      level,
    },
  };
}

function mustNotBeAbove(viewer: Actor, level: number, name: string): void {
  if (level < viewer.level)
    throw new Refused(`${name} has more permissions than you, so you cannot view Assay as them.`);
}

/** A row that the viewer can see. Throws NotFound otherwise. */
async function seen(context: RequestContext, resource: string, id: number): Promise<Row> {
  const definition = context.registry.need(resource);
  const where = reach(context, definition, 'view', { archived: 'any' });
  const row: Row | undefined = await context.program.database.kysely
    .selectFrom(definition.table)
    .selectAll()
    .where('id', '=', id)
    .where(predicateToSql(where, definition, definition.table, context.registry, context.surroundings))
    .executeTakeFirst();
  if (!row) throw new NotFound();
  return row;
}
