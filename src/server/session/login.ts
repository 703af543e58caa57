import type { FastifyInstance } from 'fastify';
import { accountsOfEmail, type Account } from '../domain/accounts';
import { wantMailOn } from '../domain/mails';
import type { Program } from '../program';
import { recordSecurityEvent } from '../security-log/security-log';
import { calls, loginForm } from './calls';
import { finishSignIn } from './finish-sign-in';
import { readForm } from './forms';
import type { Verifier } from './passwords';
import { takeSignInTry } from './sign-in-guard';

/** One set of words for every reason, so that nobody learns whether an address has an account. */
const failed = {
  status: false,
  message: 'The e-mail address or the password is wrong, or the account is not active.',
} as const;

/** `POST login`. */
export function registerLogin(app: FastifyInstance, program: Program, verify: Verifier): void {
  app.post('/login', calls.login, async (request, reply) => {
    const { email, password } = readForm<{ email: string; password: string }>(loginForm, request.body);
    const signInTry = await takeSignInTry(program, email, request.ip, (trx) =>
      wantMailOn(program, trx, 'sign_in_blocked', { email }),
    );
    const { account, company } = await accountThatMatches(program, verify, email, password);
    if (!account?.mayEnter) {
      void recordSecurityEvent(program, { event: 'sign_in_failed', subject: email, user_id: null, site_id: company, key: `sign-in failed ${email.toLowerCase()} ${request.ip}` }); // prettier-ignore
      return failed;
    }
    await signInTry.succeeded();
    return finishSignIn(program, { request, reply }, account, { method: 'password', secondStep: 'ask' });
  });
}

/** The account that a password belongs to, and the company whose owner may hear of the try. Two passwords are verified whoever has the address: no time tells how many do. */
async function accountThatMatches(
  program: Program,
  verify: Verifier,
  email: string,
  password: string,
): Promise<{ account?: Account; company: number | null }> {
  const [first, second] = await accountsOfEmail(program.database.kysely, email);
  const company = first?.site_id ?? null;
  if (await verify(first?.password, password)) return { account: first, company };
  return { account: (await verify(second?.password, password)) ? second : undefined, company };
}
