import { ApiError, fetchApi } from '../session/api';
import type { SecondStep } from './second-factor/secondStepApi';
import { withSessionLock, sessionHeader, tokenFields, type TokenResponse } from '../session/renewal';
import type { Session } from '../session/session';

/** The response of calls before sign-in that return no session. */
export interface AuthResult {
  status: boolean;
  message: string;
}

export interface DemoAccount {
  email: string;
  role_name: string;
  password: string;
}

// The flag is part of the API. A request with it is sent without the bearer token.
const postAnonymously = <T>(path: string, values: Record<string, string | number>) =>
  fetchApi<T>(path, {
    method: 'POST',
    json: { ...values, authenticateUrl: 1 },
    headers: sessionHeader,
    anonymous: true,
  });

async function requestSession(path: string, values: Record<string, string>): Promise<Partial<Session> | SecondStep> {
  const answer = await withSessionLock(() =>
    postAnonymously<AuthResult & Session & TokenResponse & { second_factor?: SecondStep }>(path, values),
  );
  if (answer.second_factor) return answer.second_factor;
  // The server rejects a sign-in with 200 and `status` false: treat it like any other failure.
  if (!answer.status) throw new ApiError(200, answer.message || 'That did not work. Please try again.');
  return { ...answer, ...tokenFields(answer) };
}

/** Signs in, or returns the second step to take. Throws `ApiError` with a message for the user if it is rejected. */
export async function signIn(values: {
  email: string;
  password: string;
  recovery_code?: string;
}): Promise<Session | SecondStep> {
  return (await requestSession('/login', values)) as Session | SecondStep;
}

/** Registers a company and its owner. Returns a session if the server signs the owner in at once, else null. */
export async function register(values: Record<string, string>): Promise<Session | null> {
  const answer = await requestSession('/register', values);
  return 'token' in answer && answer.token ? (answer as Session) : null;
}

/** Requests a mail with a reset code. */
export function requestPasswordReset(email: string): Promise<AuthResult> {
  return postAnonymously('/forgot-password', {
    email,
    resetPasswordLink: `${window.location.origin}/auth/reset-password`,
  });
}

/** Sets a password with a code from a mail: a new one, or the first one of an invited account. */
export function resetPassword(values: Record<string, string>, isSetup: boolean): Promise<AuthResult> {
  return postAnonymously('/reset-password', isSetup ? { ...values, setup_account: 1 } : values);
}

/** The account whose password a code sets. */
export interface CodeOwner {
  name: string;
  email: string;
}

/** The account whose password a code sets; null if the code is not valid (any more). */
export async function fetchCodeOwner(verification_code: string): Promise<CodeOwner | null> {
  return (await postAnonymously<{ data: CodeOwner | null }>('/code-owner', { verification_code })).data;
}

/** Confirms the owner's address with a code from a mail. */
export function confirmAddress(verification_code: string): Promise<AuthResult> {
  return postAnonymously('/confirm-address', { verification_code });
}

/** The accounts of an installation with demo data; none otherwise. */
export async function fetchDemoAccounts(signal: AbortSignal): Promise<DemoAccount[]> {
  const answer = await fetchApi<{ data?: DemoAccount[] }>('/demo-accounts', { anonymous: true, signal });
  return answer?.data ?? [];
}
