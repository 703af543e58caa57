import type { FastifyInstance } from 'fastify';
import { accountOfEmail } from '../domain/accounts';
import type { Program } from '../program';
import { signInLimits, takeAttempt } from './attempts';
import { calls, loginForm } from './calls';
import { finishSignIn } from './finish-sign-in';
import { readForm } from './forms';
import type { Verifier } from './passwords';

/** One set of words for every reason, so that nobody learns whether an address has an account. */
const failed = {
  status: false,
  message: 'The e-mail address or the password is wrong, or the account is not active.',
} as const;

/** `POST login`. */
export function registerLogin(app: FastifyInstance, program: Program, verify: Verifier): void {
  app.post('/login', calls.login, async (request, reply) => {
    const { email, password } = readForm<{ email: string; password: string }>(loginForm, request.body);
    const attempt = await takeAttempt(program.database, signInLimits(email, request.ip));
    const account = await accountOfEmail(program.database.kysely, email);
    const matches = await verify(account?.password, password);
    if (!matches || !account?.mayEnter) return failed;
    await attempt.giveBack();
    return finishSignIn(program, { request, reply }, account);
  });
}
