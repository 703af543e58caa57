import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf, type Account } from '../domain/accounts';
import { bySingleSignOn, closedFor, closedWords } from '../domain/single-sign-on/closed';
import type { Program } from '../program';
import { secondStepOf, type SecondStep } from '../second-factor/second-step';
import { recordSecurityEvent } from '../security-log/security-log';
import { describePerson, type Person } from './answers';
import { keepRenewal, mustBeOwnPage, wantsRenewable } from './renewal-cookie';
import { beginSignIn, tokenLifetime } from './sign-ins';

/** A request and the reply to it. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The response of a successful sign-in, by any method. */
export interface SignedIn extends Person, Partial<Renewable> {
  readonly status: true;
  readonly message: string;
  readonly token: string;
  readonly token_type: 'Bearer';
}

/** What a browser also receives: which sign-in to renew, and in how many seconds. */
export interface Renewable {
  readonly sign_in_id: number;
  readonly expires_in: number;
}

/** The response if this sign-in method is disabled for a user. */
export interface WayClosed {
  readonly status: false;
  readonly message: string;
}

/** How a user was authenticated. */
export interface Proven {
  /** As in the security log: `password`, `passkey`, `single sign-on`, … */
  readonly method: string;
  /**
   * `ask`: require the second step if the user has a factor or must have one; `done`: the method already was more than
   * one factor.
   */
  readonly secondStep: 'ask' | 'done';
  /** The first method, if this is the second step. */
  readonly first?: string | null;
  /** When the user was authenticated, in milliseconds since 1970, if that was elsewhere and earlier; null: unknown. */
  readonly provenAt?: number | null;
  /** Allowed even if passwords are disabled: for owners with a recovery code, and users that were just created. */
  readonly evenIfClosed?: boolean;
  readonly message?: string;
}

/**
 * Completes every sign-in, by any method: creates it and returns the user's data, or returns the required second step.
 * The browser application (`X-Session: renewable`) gets a short-lived token and a cookie to renew it; everybody else
 * gets a token for the lifetime of the sign-in. The account must have access.
 */
export async function finishSignIn(
  program: Program,
  { request, reply }: Exchange,
  account: Account,
  { method, secondStep, first, provenAt, evenIfClosed, message = 'Login Successfully!' }: Proven,
): Promise<SignedIn | SecondStep | WayClosed> {
  const { kysely } = program.database;
  const renewable = wantsRenewable(request);
  if (renewable) mustBeOwnPage(request, program.settings);
  const began = first ?? method;
  const closed = began === bySingleSignOn || evenIfClosed ? undefined : await closedFor(program, account);
  if (closed) {
    void recordSecurityEvent(program, {
      event: 'sign_in_failed',
      user_id: account.id,
      site_id: account.site_id,
      detail: { method, reason: 'closed' },
      key: `closed ${account.id} ${request.ip}`,
    });
    return { status: false, message: closedWords(closed) };
  }
  const step = secondStep === 'ask' ? await secondStepOf(program, request, account, began) : undefined;
  if (step) return step;
  const agent = request.headers['user-agent'];
  const begun = await beginSignIn(kysely, account.id, { agent, renewable, method: began, provenAt });
  const detail = began === method ? { method } : { method, first: began };
  await recordSecurityEvent(
    program,
    { event: 'sign_in', user_id: account.id, site_id: account.site_id, detail },
    kysely,
  );
  const person = await describePerson(program, account, await actorOf(kysely, account));
  if (begun.renewal !== undefined) keepRenewal(request, reply, program.settings, begun.renewal);
  const more = renewable && { sign_in_id: begun.id, expires_in: tokenLifetime / 1000 };
  return { status: true, message, token: begun.token, token_type: 'Bearer', ...more, ...person };
}
