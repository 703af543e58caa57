import { Level } from '../../../engine/definitions/level';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Actor } from '../../../engine/access/actor';
import type { RequestContext } from '../../access/request-context';
import type { Transaction } from '../../database/database';
import { HttpError } from '../../errors/errors';
import { typedApi, type UserBody } from '../../routing/define-call';
import { requestContextOf } from '../session/caller-context';
import { runIdempotent } from '../../idempotency/run-idempotent';
import type { Hook, Program } from '../../program';
import { readRecord } from '../../records/read/read';
import { recordSecurityEvent } from '../../security-log/security-log';
import {
  codeRequestLimitsOfMailbox,
  codeMailLimits,
  countAttemptWithin,
  invitationLimits,
  resetLinkLimits,
} from '../session/attempts';
import { hasConfirmedOwner } from './confirmed-addresses';
import { requiredProviderFor } from '../single-sign-on/required-provider';
import { mailCalls } from '../mails/mail-calls';
import { queueOccasionMail } from '../mails/mails';
import { activeStatus, invitedStatus } from './user-status';
import { assertNotMorePowerful } from './users';

interface InvitedUser {
  readonly id: number;
  readonly email: string;
  readonly site_id: number | null;
}

const unconfirmed =
  'Please confirm your email address first: open the link in the email that we sent to the owner of the company. Everything that waits for it is then sent automatically.';

/** afterSave: sends an invitation to a user who becomes invited, or whose address changes while invited. */
export const inviteUser: Hook = async ({ program, trx, actor, previousRow, values }) => {
  if (values.status_id !== invitedStatus) return;
  if (previousRow?.status_id === invitedStatus && previousRow.email === values.email) return;
  const user = { id: values.id, email: values.email, site_id: values.site_id ?? null } as InvitedUser;
  if (await canSendInvitations(trx, actor, user)) await invite(program, trx, user, actor);
};

interface MailOutcome {
  readonly status: boolean;
  readonly message: string;
}

/**
 * `POST resend-invitation` `{user_id}`: sends a new invitation, which invalidates the old one. The status is false, and
 * nothing is sent, unless the user is still invited.
 */
export function registerInvitations(app: FastifyInstance, program: Program): void {
  typedApi(app).post('/resend-invitation', mailCalls.resendInvitation, (request, reply) =>
    mailToUser(program, request, reply, {
      status: invitedStatus,
      wrongStatusMessage: 'This user has no open invitation.',
      send: async ({ program: hookProgram, actor }, trx, user) => {
        await invite(hookProgram, trx, user, actor);
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
  typedApi(app).post('/send-reset-link', mailCalls.sendResetLink, (request, reply) =>
    mailToUser(program, request, reply, {
      status: activeStatus,
      wrongStatusMessage: 'This user is not active.',
      refusalOf: async ({ program: hookProgram }, trx, user) => {
        const requiredProvider = await requiredProviderFor(hookProgram, user, trx);
        return requiredProvider && `This user signs in through ${requiredProvider.name} and has no password.`;
      },
      send: async ({ program: hookProgram, actor }, trx, { id, site_id, email }) => {
        await countAttemptWithin(trx, [
          ...(site_id === null ? [] : resetLinkLimits(site_id)),
          ...codeRequestLimitsOfMailbox(email),
        ]);
        await queueOccasionMail(hookProgram, trx, 'forgot_password', { user_id: id });
        await recordSecurityEvent(
          hookProgram,
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
  readonly wrongStatusMessage: string;
  /** Why a user with that status gets no such mail. */
  refusalOf?(context: RequestContext, trx: Transaction, user: InvitedUser): Promise<string | undefined>;
  /** Queues the mail and returns the message of the response. */
  send(context: RequestContext, trx: Transaction, user: InvitedUser): Promise<string>;
}

/** Sends a user a sign-in mail, if the caller can edit the user and the user is not more powerful. */
async function mailToUser(
  program: Program,
  request: FastifyRequest<{ Body: UserBody }>,
  reply: FastifyReply,
  { status, wrongStatusMessage, refusalOf, send }: MailToUser,
) {
  const context = await requestContextOf(program, request);
  const definition = context.registry.getOrThrow('users');
  const { user_id: userId } = request.body;
  return runIdempotent(
    context,
    request,
    reply,
    { values: request.body, text: false },
    async (idempotentContext): Promise<MailOutcome> => {
      const user = await readRecord({ context: idempotentContext, definition }, userId);
      return idempotentContext.program.database.transaction(async (trx) => {
        await assertNotMorePowerful(trx, idempotentContext.actor, user.role_id as number);
        if (user.status_id !== status) return { status: false, message: wrongStatusMessage };
        const person = user as unknown as InvitedUser;
        const refusal = await refusalOf?.(idempotentContext, trx, person);
        if (refusal !== undefined) return { status: false, message: refusal };
        if (!(await canSendInvitations(trx, idempotentContext.actor, person)))
          return { status: false, message: unconfirmed };
        return { status: true, message: await send(idempotentContext, trx, person) };
      });
    },
  );
}

/** Sends the invitations that waited for the owner's confirmation, within the daily limit. */
export async function sendWaitingInvitations(program: Program, trx: Transaction, site: number): Promise<void> {
  const { rows } = await sql<InvitedUser>`select id, email, site_id from users
    where site_id = ${site} and status_id = ${invitedStatus} and deleted_at is null order by id`.execute(trx);
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
  { id, email, site_id }: InvitedUser,
  actor?: Actor,
): Promise<void> {
  await countAttemptWithin(trx, [...(site_id === null ? [] : invitationLimits(site_id)), ...codeMailLimits(email)]);
  await queueOccasionMail(program, trx, 'account_setup', { user_id: id });
  await recordSecurityEvent(
    program,
    { event: 'user_invited', actor, site_id, resource: 'users', record_id: id, subject: email },
    trx,
  );
}

/** The installation's administrator always can; a company can once its owner has confirmed the address. */
async function canSendInvitations(trx: Transaction, actor: Actor, { site_id }: InvitedUser): Promise<boolean> {
  return actor.level === Level.Installation || (site_id !== null && (await hasConfirmedOwner(trx, site_id)));
}
