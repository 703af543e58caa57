import { Level } from '../../../engine/definitions/level';
import { typedApi } from '../../routing/define-call';
import type { FastifyInstance } from 'fastify';
import { findAccountsByEmail, type Account } from '../users/accounts';
import { recordFactorChange } from '../second-factor/changes';
import { queueOccasionMail } from '../mails/mails';
import { requiredProviderOfDomain, localSignInDisabledMessage } from '../single-sign-on/required-provider';
import type { Program } from '../../program';
import { useRecoveryCode } from '../second-factor/recovery-codes';
import { recordSecurityEvent } from '../../security-log/security-log';
import { signInCalls } from './calls';
import { finishSignIn } from './finish-sign-in';
import type { Verifier } from '../../secrets/passwords';
import { countSignInAttempt } from './sign-in-guard';

/** One message for every reason, so that it does not reveal whether an address has an account. */
const failedResponse = {
  status: false,
  message: 'The email address or the password is wrong, or the account is not active.',
} as const;

const failedWithCodeResponse = {
  status: false,
  message:
    'The email address, the password or the recovery code is wrong, or this account cannot use a recovery code here.',
} as const;

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * `POST login`. If passwords are disabled for the domain of an address, everybody gets that response, whether there is
 * an account or not; owners and administrators can sign in with one of their recovery codes in addition.
 */
export function registerLogin(app: FastifyInstance, program: Program, verify: Verifier): void {
  typedApi(app).post('/login', signInCalls(program.product.signInFacts?.schema).login, async (request, reply) => {
    const { email, password, recovery_code: code } = request.body;
    const signInTry = await countSignInAttempt(program, email, request.ip, (trx) =>
      queueOccasionMail(program, trx, 'sign_in_blocked', { email }),
    );
    const requiredProvider = await requiredProviderOfDomain(program, email);
    const { account, company } = await findMatchingAccount(
      program,
      verify,
      { email, password },
      (candidate) =>
        !requiredProvider ||
        Boolean(code) ||
        (requiredProvider.site_id !== null && candidate.site_id !== requiredProvider.site_id),
    );
    const usedCode = (requiredProvider && code) || undefined;
    const withCode = usedCode !== undefined;
    if (!account?.canSignIn || (withCode && !(await mayUseCode(account, usedCode)))) {
      const detail = requiredProvider && { reason: 'closed', ...(withCode && { with: 'recovery code' }) };
      void recordSecurityEvent(program, {
        event: 'sign_in_failed',
        subject: email,
        user_id: null,
        site_id: company,
        detail,
        key: `sign-in failed ${email.toLowerCase()} ${request.ip}`,
      });
      if (withCode) return failedWithCodeResponse;
      return requiredProvider
        ? { status: false, message: localSignInDisabledMessage(requiredProvider) }
        : failedResponse;
    }
    await signInTry.markSucceeded();
    if (withCode) {
      const method = 'password and recovery code';
      return finishSignIn(program, { request, reply }, account, {
        method,
        secondStep: 'done',
        ignoresDisabledPasswords: true,
      });
    }
    return finishSignIn(program, { request, reply }, account, { method: 'password', secondStep: 'ask' });
  });

  /** Uses up a recovery code of an owner or administrator. */
  function mayUseCode({ id, level, site_id }: Account, code: string): Promise<boolean> {
    return program.database.transaction(async (trx) => {
      if (level > Level.Owner || !(await useRecoveryCode(program, trx, id, code))) return false;
      await recordFactorChange(program, trx, { userId: id, siteId: site_id, change: 'recovery code used' });
      return true;
    });
  }
}

/**
 * Finds the account that a password belongs to, and the company whose owner may see a failed attempt. Always verifies
 * two passwords, so that timing does not reveal how many accounts have the address.
 */
async function findMatchingAccount(
  program: Program,
  verify: Verifier,
  { email, password }: Credentials,
  mayBe: (account: Account) => boolean,
): Promise<{ account?: Account; company: number | null }> {
  const candidates = await findAccountsByEmail(program.database.kysely, email);
  const company = candidates[0]?.site_id ?? null;
  const [first, second] = candidates.filter(mayBe);
  if (await verify(first?.password, password)) return { account: first, company };
  return { account: (await verify(second?.password, password)) ? second : undefined, company };
}
