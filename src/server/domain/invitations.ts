import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { readId } from '../../engine/field-types/relation';
import type { Actor } from '../../engine/access/actor';
import { mustBeGranted } from '../access/reach';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { BadRequest, HttpError, Invalid, NotFound } from '../errors/errors';
import { readBody } from '../http/read-body';
import { contextOf } from '../http/resource-routes';
import { once } from '../idempotency/once';
import type { Hook, Program } from '../program';
import { readRecord } from '../records/read';
import { recordSecurityEvent } from '../security-log/security-log';
import { askingForLimits, codeMailLimits, countAttempt, invitationLimits, resetLinkLimits } from '../session/attempts';
import { companyIsConfirmed } from './confirmed-addresses';
import { closedFor } from './single-sign-on/closed';
import { calls } from './mail-calls';
import { wantMailOn } from './mails';
import { active, invited } from './user-status';
import { mustNotBeMorePowerful } from './users';

interface Invited {
  readonly id: number;
  readonly email: string;
  readonly site_id: number | null;
}

const unconfirmed =
  'Please confirm your email address first: open the link in the email that we sent to the owner of the company. Everything that waits for it is then sent automatically.';

/** afterSave: sends an invitation to a user who becomes invited, or whose address changes while invited. */
export const inviteUser: Hook = async ({ program, trx, actor, before, values }) => {
  if (values.status_id !== invited) return;
  if (before?.status_id === invited && before.email === values.email) return;
  const user = { id: values.id, email: values.email, site_id: values.site_id ?? null } as Invited;
  if (await maySendInvitations(trx, actor, user)) await invite(program, trx, user, actor);
};

interface Outcome {
  readonly status: boolean;
  readonly message: string;
}

/**
 * `POST resend-invitation` `{user_id}`: sends a new invitation, which invalidates the old one. The status is false, and
 * nothing is sent, unless the user is still invited.
 */
export function registerInvitations(app: FastifyInstance, program: Program): void {
  app.post('/resend-invitation', calls.resendInvitation, (request, reply) =>
    mailToUser(program, request, reply, {
      status: invited,
      otherwise: 'This user has no open invitation.',
      send: async ({ program: within, actor }, trx, user) => {
        await invite(within, trx, user, actor);
        return 'Invitation request sent successfully!';
      },
    }),
  );
}

/**
 * `POST send-reset-link` `{user_id}`: sends an active user a link to choose a new password. The status is false, and
 * nothing is sent, for any other user.
 */
export function registerResetLinks(app: FastifyInstance, program: Program): void {
  app.post('/send-reset-link', calls.sendResetLink, (request, reply) =>
    mailToUser(program, request, reply, {
      status: active,
      otherwise: 'This user is not active.',
      refusalOf: async ({ program: within }, trx, user) => {
        const closed = await closedFor(within, user, trx);
        return closed && `This user signs in through ${closed.name} and has no password.`;
      },
      send: async ({ program: within, actor }, trx, { id, site_id, email }) => {
        await countAttempt(trx, [...(site_id === null ? [] : resetLinkLimits(site_id)), ...askingForLimits(email)]);
        await wantMailOn(within, trx, 'forgot_password', { user_id: id });
        await recordSecurityEvent(
          within,
          { event: 'password_reset_requested', actor, site_id, resource: 'users', record_id: id },
          trx,
        );
        return 'Reset link sent successfully!';
      },
    }),
  );
}

interface MailToUser {
  /** The state that the user must be in. */
  readonly status: number;
  /** The message for a user with another status. */
  readonly otherwise: string;
  /** Why a user with that status gets no such mail. */
  refusalOf?(context: RequestContext, trx: Transaction, user: Invited): Promise<string | undefined>;
  /** Queues the mail and returns the message of the response. */
  send(context: RequestContext, trx: Transaction, user: Invited): Promise<string>;
}

/** Sends a user a sign-in mail, if the caller can edit the user and the user is not more powerful. */
async function mailToUser(
  program: Program,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, otherwise, refusalOf, send }: MailToUser,
) {
  const context = await contextOf(program, request);
  const definition = context.registry.need('users');
  mustBeGranted(context, definition, 'edit');
  const body = await readBody(request);
  const userId = readUserId(body.values);
  return once(context, request, reply, body, async (within): Promise<Outcome> => {
    const user = await readRecord(within, definition, userId);
    return within.program.database.transaction(async (trx) => {
      await mustNotBeMorePowerful(trx, within.actor, user.role_id as number);
      if (user.status_id !== status) return { status: false, message: otherwise };
      const person = user as unknown as Invited;
      const refusal = await refusalOf?.(within, trx, person);
      if (refusal !== undefined) return { status: false, message: refusal };
      if (!(await maySendInvitations(trx, within.actor, person))) return { status: false, message: unconfirmed };
      return { status: true, message: await send(within, trx, person) };
    });
  });
}

/** Sends the invitations that waited for the owner's confirmation, within the daily limit. */
export async function sendWaitingInvitations(program: Program, trx: Transaction, site: number): Promise<void> {
  const { rows } = await sql<Invited>`select id, email, site_id from users
    where site_id = ${site} and status_id = ${invited} and deleted_at is null order by id`.execute(trx);
  for (const user of rows) {
    try {
      await invite(program, trx, user);
    } catch (error) {
      // Refused by a limit, before anything was stored: other invitations may still be within theirs.
      if (!(error instanceof HttpError)) throw error;
    }
  }
}

/** Queues an invitation; without an actor it had waited for the owner's confirmation. */
async function invite(
  program: Program,
  trx: Transaction,
  { id, email, site_id }: Invited,
  actor?: Actor,
): Promise<void> {
  await countAttempt(trx, [...(site_id === null ? [] : invitationLimits(site_id)), ...codeMailLimits(email)]);
  await wantMailOn(program, trx, 'account_setup', { user_id: id });
  await recordSecurityEvent(
    program,
    { event: 'user_invited', actor, site_id, resource: 'users', record_id: id, subject: email },
    trx,
  );
}

/** The installation's administrator always can; a company can once its owner has confirmed the address. */
async function maySendInvitations(trx: Transaction, actor: Actor, { site_id }: Invited): Promise<boolean> {
  return actor.level === 1 || (site_id !== null && (await companyIsConfirmed(trx, site_id)));
}

function readUserId(body: Readonly<Record<string, unknown>>): number {
  const { user_id, invitationLink: _, ...others } = body;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Invalid({ [unknown]: `Unknown property ${unknown}.` });
  if (typeof user_id !== 'number' && typeof user_id !== 'string')
    throw new BadRequest('user_id must be the id of a user.');
  const id = readId(String(user_id));
  if (id === undefined) throw new NotFound();
  return id;
}
