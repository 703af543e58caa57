import { Level } from '../../../engine/definitions/level';
import { isGranted } from '../../../engine/access/access-decision';
import { placeholderUserId, type Actor } from '../../../engine/access/actor';
import { accessFilter } from '../../access/access-filter';
import { RequestContext } from '../../access/request-context';
import { predicateToSql } from '../../sql/predicate-to-sql';
import type { Row } from '../../database/database';
import { BadRequest, NotFound, Forbidden } from '../../errors/errors';
import { loadPermissions } from '../permissions/grants';
import type { Program } from '../../program';
import { findAccountById, createActor, loadRoleNames, type Account } from '../users/accounts';
import type { ViewAsTarget } from './view-as-header';

/** The user or role that somebody views as: the actor for their requests, and a name. */
export interface ViewedActor {
  readonly actor: Actor;
  /** The person's name, or the role's. */
  readonly name: string;
  readonly account: Omit<Account, 'password' | 'canSignIn'>;
}

/** The lowest level that can view as others. */
const lowestViewerLevel = 2;

/** Whether a user can view as others: administrators of the installation and owners, if they can see roles. */
export function canViewAs(actor: Actor): boolean {
  return actor.level <= lowestViewerLevel && isGranted(actor, 'roles', 'view');
}

/** Throws Forbidden for a user who cannot view as others. */
export function assertCanViewAs(actor: Actor): void {
  if (canViewAs(actor)) return;
  throw new Forbidden('Only administrators and company owners can view Assay as another user.');
}

/**
 * Finds the user or role to view as. Throws NotFound if the viewer cannot see it, Forbidden if they cannot view as it,
 * BadRequest if a role lacks a company.
 */
export async function resolveViewed(program: Program, viewer: Actor, viewTarget: ViewAsTarget): Promise<ViewedActor> {
  assertCanViewAs(viewer);
  const context = new RequestContext(program, viewer);
  return viewTarget.kind === 'user' ? viewUser(context, viewTarget.id) : viewRole(context, viewTarget);
}

async function viewUser(context: RequestContext, id: number): Promise<ViewedActor> {
  const { program, actor: viewer } = context;
  await findVisibleRow(context, 'users', id);
  const account = await findAccountById(program.database.kysely, id);
  if (!account) throw new NotFound();
  const name = [account.first_name, account.last_name].filter(Boolean).join(' ');
  assertNotAbove(viewer, account.level, name);
  if (!account.canSignIn) throw new Forbidden(`${name} has no active account, so you cannot view Assay as them.`);
  const actor = await createActor(program.database.kysely, account);
  return { actor: { ...actor, viewer }, name, account };
}

async function viewRole(
  context: RequestContext,
  { id, site }: Extract<ViewAsTarget, { kind: 'role' }>,
): Promise<ViewedActor> {
  const { program, actor: viewer } = context;
  const { kysely } = program.database;
  const role = await findVisibleRow(context, 'roles', id);
  const [name, level] = [role.role_name as string, role.level as Actor['level']];
  assertNotAbove(viewer, level, name);
  const company =
    level === Level.Installation ? null : ((role.site_id as number | null) ?? viewer.site_id ?? site ?? null);
  if (site !== undefined && site !== company) throw new NotFound();
  if (level !== Level.Installation && company === null) {
    throw new BadRequest('X-View-As must name a company for this role, such as "role 4 site 2".');
  }
  const companyRow = company === null ? undefined : await findVisibleRow(context, 'sites', company);
  const site_name = (companyRow?.name as string | undefined) ?? null;
  return {
    actor: {
      id: placeholderUserId,
      role_id: id,
      role: role.key as string,
      roles: await loadRoleNames(kysely, company, level),
      level,
      site_id: company,
      permissions: await loadPermissions(kysely, id),
      viewer,
    },
    name,
    account: {
      id: placeholderUserId,
      first_name: name,
      last_name: '',
      email: '',
      site_id: company,
      site_name,
      role_id: id,
      role_name: name,
      role: role.key as string,
      level,
    },
  };
}

function assertNotAbove(viewer: Actor, level: number, name: string): void {
  if (level < viewer.level)
    throw new Forbidden(`${name} has more permissions than you, so you cannot view Assay as them.`);
}

/** A row that the viewer can see. Throws NotFound otherwise. */
async function findVisibleRow(context: RequestContext, resource: string, id: number): Promise<Row> {
  const definition = context.registry.getOrThrow(resource);
  const visibleRows = accessFilter(context, definition, 'view', { archived: 'any' });
  const row: Row | undefined = await context.program.database.kysely
    .selectFrom(definition.table)
    .selectAll()
    .where('id', '=', id)
    .where(predicateToSql(visibleRows, definition, definition.table, context.registry, context.evaluationContext))
    .executeTakeFirst();
  if (!row) throw new NotFound();
  return row;
}
