import { ApiError, fetchApi } from '../session/api';
import type { SecondStep } from '../second-factor/stepCalls';
import { alone, sessionHeader, tokenOf, type TokenAnswer } from '../session/renewal';
import type { Session } from '../session/session';

/** What the calls before sign-in answer besides a session. */
export interface Outcome {
  status: boolean;
  message: string;
}

export interface DemoAccount {
  email: string;
  role_name: string;
  password: string;
}

// The flag is part of the calls' wire format: a request that carries it goes without the bearer.
const call = <T>(path: string, values: Record<string, string | number>) =>
  fetchApi<T>(path, {
    method: 'POST',
    json: { ...values, authenticateUrl: 1 },
    headers: sessionHeader,
    anonymous: true,
  });

async function sessionFrom(path: string, values: Record<string, string>): Promise<Partial<Session> | SecondStep> {
  const answer = await alone(() =>
    call<Outcome & Session & TokenAnswer & { second_factor?: SecondStep }>(path, values),
  );
  if (answer.second_factor) return answer.second_factor;
  // A refusal comes as 200 with a false status: it is shown like any other failure.
  if (!answer.status) throw new ApiError(200, answer.message || 'That did not work. Please try again.');
  return { ...answer, ...tokenOf(answer) };
}

/** Signs in, or answers what the second step is. Throws `ApiError` with the words to show when it is refused. */
export async function signIn(values: {
  email: string;
  password: string;
  recovery_code?: string;
}): Promise<Session | SecondStep> {
  return (await sessionFrom('/login', values)) as Session | SecondStep;
}

/** Registers a company and its owner. Gives back a session where the server signs the owner in at once, else null. */
export async function register(values: Record<string, string>): Promise<Session | null> {
  const answer = await sessionFrom('/register', values);
  return 'token' in answer && answer.token ? (answer as Session) : null;
}

/** Asks for a mail with a code. */
export function requestReset(email: string): Promise<Outcome> {
  return call('/forgot-password', { email, resetPasswordLink: `${window.location.origin}/auth/reset-password` });
}

/** Sets a password with a code from a mail: a new one, or the first one of an invited account. */
export function resetPassword(values: Record<string, string>, isSetup: boolean): Promise<Outcome> {
  return call('/reset-password', isSetup ? { ...values, setup_account: 1 } : values);
}

/** Whose password a code sets. */
export interface CodeOwner {
  name: string;
  email: string;
}

/** Whose password a code sets; null for a code that sets none (any more). */
export async function codeOwner(verification_code: string): Promise<CodeOwner | null> {
  return (await call<{ data: CodeOwner | null }>('/code-owner', { verification_code })).data;
}

/** Confirms the owner's address with the code of a mail. */
export function confirmAddress(verification_code: string): Promise<Outcome> {
  return call('/confirm-address', { verification_code });
}

/** The accounts of a program on demo data; none on any other. */
export async function demoAccounts(signal: AbortSignal): Promise<DemoAccount[]> {
  const answer = await fetchApi<{ data?: DemoAccount[] }>('/demo-accounts', { anonymous: true, signal });
  return answer?.data ?? [];
}
