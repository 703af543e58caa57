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

/** The answer of a sign-in that succeeded, however the person proved who they are. */
export interface SignedIn extends Person, Partial<Renewable> {
  readonly status: true;
  readonly message: string;
  readonly token: string;
  readonly token_type: 'Bearer';
}

/** What a browser learns besides: which sign-in it renews, and in how many seconds. */
export interface Renewable {
  readonly sign_in_id: number;
  readonly expires_in: number;
}

/** The answer where this way to sign in is closed to somebody. */
export interface WayClosed {
  readonly status: false;
  readonly message: string;
}

/** How somebody proved who they are. */
export interface Proven {
  /** As the security log has it: `password`, `passkey`, `single sign-on`, … */
  readonly method: string;
  /** `ask` for the second step where the person has a factor or must have one; `done`: the method was more than one. */
  readonly secondStep: 'ask' | 'done';
  /** How the sign-in began, where this is its second step. */
  readonly first?: string | null;
  /** When the proof was given, in milliseconds since 1970, where that was elsewhere and before; null: unknown. */
  readonly provenAt?: number | null;
  /** The way that is left to owners where passwords are closed, or that of a person who was just made. */
  readonly evenIfClosed?: boolean;
  readonly message?: string;
}

/**
 * The end of every sign-in, by whatever method somebody proved who they are: begins it and describes the person to
 * themselves, or answers what the second step is. To the browser application (`X-Session: renewable`) it gives a token of minutes, and a cookie to renew it
 * with; to everybody else a token for as long as the sign-in. The account must be one that may enter.
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
