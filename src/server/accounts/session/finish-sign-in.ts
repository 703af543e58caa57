import type { FastifyReply, FastifyRequest } from 'fastify';
import { createActor, type Account } from '../users/accounts';
import {
  singleSignOnMethod,
  requiredProviderFor,
  localSignInDisabledMessage,
} from '../single-sign-on/required-provider';
import type { Program } from '../../program';
import { requiredSecondStep, type SecondStep } from '../second-factor/second-step';
import { recordSecurityEvent } from '../../security-log/security-log';
import { describePerson, type Person } from './describe-person';
import { setRenewalCookie, assertSameSite, wantsRenewable } from './renewal-cookie';
import { beginSignIn, tokenLifetime } from './sign-ins';

/** A request and the reply to it. */
export interface RequestAndReply {
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

/** Facts that browsers receive in addition: the sign-in to renew, and in how many seconds. */
export interface Renewable {
  readonly sign_in_id: number;
  readonly expires_in: number;
}

/** The response if this sign-in method is disabled for a user. */
export interface MethodDisabled {
  readonly status: false;
  readonly message: string;
}

/** How a user was authenticated. */
export interface Authentication {
  /** As in the security log: `password`, `passkey`, `single sign-on`, … */
  readonly method: string;
  /**
   * `ask`: require the second step if the user has a factor or must have one; `done`: the method already was more than
   * one factor.
   */
  readonly secondStep: 'ask' | 'done';
  /** The first method, if this is the second step. */
  readonly firstMethod?: string | null;
  /** When the user was authenticated, in milliseconds since 1970, if that was elsewhere and earlier; null: unknown. */
  readonly provenAt?: number | null;
  /** Allowed even if passwords are disabled: for owners with a recovery code, and users that were just created. */
  readonly ignoresDisabledPasswords?: boolean;
  readonly message?: string;
}

/**
 * Completes every sign-in, by any method: creates it and returns the user's data, or returns the required second step.
 * The browser application (`X-Session: renewable`) gets a short-lived token and a cookie to renew it; everybody else
 * gets a token for the lifetime of the sign-in. The account must have access.
 */
export async function finishSignIn(
  program: Program,
  { request, reply }: RequestAndReply,
  account: Account,
  {
    method,
    secondStep,
    firstMethod,
    provenAt,
    ignoresDisabledPasswords,
    message = 'Login Successfully!',
  }: Authentication,
): Promise<SignedIn | SecondStep | MethodDisabled> {
  const { kysely } = program.database;
  const renewable = wantsRenewable(request);
  if (renewable) assertSameSite(request, program.settings);
  const began = firstMethod ?? method;
  const requiredProvider =
    began === singleSignOnMethod || ignoresDisabledPasswords ? undefined : await requiredProviderFor(program, account);
  if (requiredProvider) {
    void recordSecurityEvent(program, {
      event: 'sign_in_failed',
      user_id: account.id,
      site_id: account.site_id,
      detail: { method, reason: 'closed' },
      key: `closed ${account.id} ${request.ip}`,
    });
    return { status: false, message: localSignInDisabledMessage(requiredProvider) };
  }
  const step = secondStep === 'ask' ? await requiredSecondStep(program, request, account, began) : undefined;
  if (step) return step;
  const agent = request.headers['user-agent'];
  const newSignIn = await beginSignIn(kysely, account.id, { agent, renewable, method: began, provenAt });
  const detail = began === method ? { method } : { method, first: began };
  await recordSecurityEvent(
    program,
    { event: 'sign_in', user_id: account.id, site_id: account.site_id, subject: `By ${began}`, detail },
    kysely,
  );
  const person = await describePerson(program, account, await createActor(kysely, account));
  if (newSignIn.renewal !== undefined) setRenewalCookie(request, reply, program.settings, newSignIn.renewal);
  const renewalFields = renewable && { sign_in_id: newSignIn.id, expires_in: tokenLifetime / 1000 };
  return { status: true, message, token: newSignIn.token, token_type: 'Bearer', ...renewalFields, ...person };
}
