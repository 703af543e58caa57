import type { FastifyInstance } from 'fastify';
import { accountOfEmail, actorOf, type Account } from '../domain/accounts';
import type { Program } from '../program';
import { describePerson, type Person } from './answers';
import { signInLimits, takeAttempt } from './attempts';
import { calls, loginForm } from './calls';
import { readForm } from './forms';
import type { Verifier } from './passwords';
import { beginSignIn } from './sign-ins';

/** The answer of a sign-in or registration that succeeded. */
export interface SignedIn extends Person {
  readonly status: true;
  readonly message: string;
  readonly token: string;
  readonly token_type: 'Bearer';
}

/** One set of words for every reason, so that nobody learns whether an address has an account. */
const failed = {
  status: false,
  message: 'The e-mail address or the password is wrong, or the account is not active.',
} as const;

/** `POST login`. */
export function registerLogin(app: FastifyInstance, program: Program, verify: Verifier): void {
  app.post('/login', calls.login, async (request) => {
    const { email, password } = readForm<{ email: string; password: string }>(loginForm, request.body);
    const attempt = await takeAttempt(program.database, signInLimits(email, request.ip));
    const account = await accountOfEmail(program.database.kysely, email);
    const matches = await verify(account?.password, password);
    if (!matches || !account?.mayEnter) return failed;
    await attempt.giveBack();
    return signIn(program, account, request.headers['user-agent'], 'Login Successfully!');
  });
}

/** Begins a sign-in of an account and describes it to its owner. */
export async function signIn(
  program: Program,
  account: Account,
  agent: string | undefined,
  message: string,
): Promise<SignedIn> {
  const { kysely } = program.database;
  const token = await beginSignIn(kysely, account.id, agent);
  const person = await describePerson(program, account, await actorOf(kysely, account));
  return { status: true, message, token, token_type: 'Bearer', ...person };
}
