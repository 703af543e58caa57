import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../engine/access/actor';
import { unknownMessage } from '../../../engine/validation/messages';
import type { FieldErrors } from '../../../engine/validation/check-values';
import type { Queries, Transaction } from '../../database/database';
import { Invalid, Refused } from '../../http/errors';
import { readBody } from '../../http/read-body';
import type { Program } from '../../program';
import { authenticate } from '../../session/authenticate';
import { active } from '../user-status';
import { recipients } from './recipients';
import { tell } from './tell';

interface Announcement {
  readonly title: string;
  readonly content: string;
  readonly role_ids: readonly number[];
  readonly user_ids: readonly number[];
}

const names = ['title', 'content', 'role_ids', 'user_ids'];
const longest = { title: 200, content: 5000 } as const;
const refusal = 'Announcements are made by administrators and company owners.';

/** `POST notifications`: tells the chosen people, and those of the chosen roles; without a choice everybody. */
export function registerAnnouncements(app: FastifyInstance, program: Program): void {
  app.post('/notifications', async (request, reply) => {
    const actor = await authenticate(program, request);
    if (actor.level > 2) throw new Refused(refusal);
    const announcement = readAnnouncement((await readBody(request)).values);
    const told = await program.database.transaction((trx) => announce(program, trx, actor, announcement));
    reply.status(201);
    return { data: { title: announcement.title, content: announcement.content, recipients: told } };
  });
}

async function announce(program: Program, trx: Transaction, actor: Actor, told: Announcement): Promise<number> {
  const { role_ids, user_ids, title, content } = told;
  const reachable = reachableUsers(trx, actor);
  const people = (await reachable.execute()) as { id: number; role_id: number }[];
  const known = new Set(people.map(({ id }) => id));
  const roles = new Set(await reachableRoles(trx, actor));
  const errors: FieldErrors = {};
  if (role_ids.some((id) => !roles.has(id))) errors.role_ids = 'Roles holds one that does not exist.';
  if (user_ids.some((id) => !known.has(id))) errors.user_ids = 'Users holds one that does not exist or is not active.';
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  const isForAll = role_ids.length + user_ids.length === 0;
  const chosen = people.filter(({ id, role_id }) => isForAll || role_ids.includes(role_id) || user_ids.includes(id));
  const found = await recipients(
    trx,
    chosen.map(({ id }) => id),
  );
  await tell(program, trx, {
    occasion: 'announcement',
    company: actor.site_id,
    recipients: found,
    link: null,
    values: { title, text: content },
  });
  return found.length;
}

/** The active people of the company; for whoever belongs to none those of the installation. */
function reachableUsers(queries: Queries, { level, site_id }: Actor) {
  const all = queries
    .selectFrom('users')
    .select(['id', 'role_id'])
    .where('deleted_at', 'is', null)
    .where('status_id', '=', active);
  return level === 1 ? all : all.where('site_id', '=', site_id);
}

async function reachableRoles(queries: Queries, { level, site_id }: Actor): Promise<number[]> {
  const all = queries.selectFrom('roles').select('id');
  const own = all.where((where) => where.or([where('site_id', 'is', null), where('site_id', '=', site_id)]));
  return ((await (level === 1 ? all : own).execute()) as { id: number }[]).map(({ id }) => id);
}

function readAnnouncement(values: Readonly<Record<string, unknown>>): Announcement {
  const errors: FieldErrors = {};
  for (const name of Object.keys(values)) if (!names.includes(name)) errors[name] = unknownMessage(name);
  const text = (name: 'title' | 'content', label: string): string => {
    const value = typeof values[name] === 'string' ? values[name].trim() : '';
    if (value === '') errors[name] = `${label} is required.`;
    else if (value.length > longest[name]) errors[name] = `${label} may have at most ${longest[name]} characters.`;
    return value;
  };
  const ids = (name: 'role_ids' | 'user_ids', label: string): number[] => {
    const value = values[name] ?? [];
    if (Array.isArray(value) && value.length <= 10_000 && value.every((id) => Number.isSafeInteger(id))) return value as number[]; // prettier-ignore
    errors[name] = `${label} must be a list of ids.`;
    return [];
  };
  const read = {
    title: text('title', 'Title'),
    content: text('content', 'Content'),
    role_ids: ids('role_ids', 'Roles'),
    user_ids: ids('user_ids', 'Users'),
  };
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return read;
}
