import type { SecondStep } from './second-factor/secondStepApi';
import { ApiError, fetchApi } from '../session/api';
import { withSessionLock, sessionHeader, tokenFields, type TokenResponse } from '../session/renewal';
import type { Session } from '../session/session';

/** The sign-in methods for an email address, determined by its domain alone. */
export interface SignInOptions {
  /** Whether single sign-on is set up for anybody here. */
  single_sign_on: boolean;
  /** The provider of the installation. */
  installation: { name: string } | null;
  /** The provider of the email address's domain. */
  company: { name: string; domain: string; closed: boolean } | null;
  /** Whether signing in with a password is possible. */
  password: boolean;
}

interface SignOnResponse extends Partial<Session> {
  status?: boolean;
  message?: string;
  email?: string;
  second_factor?: SecondStep;
  data?: { url: string };
}

/** The path that providers send browsers back to, and that a proof begins at. */
export const signOnPath = '/auth/single-sign-on';

const post = (path: string, json: object, signedIn = false) =>
  fetchApi<SignOnResponse>(path, { method: 'POST', json, headers: sessionHeader, anonymous: !signedIn });

/** The ways of an address, or those of everybody. */
export async function fetchSignInOptions(email: string, signal: AbortSignal): Promise<SignInOptions> {
  const init = { method: 'POST', json: email ? { email } : {}, anonymous: true, signal };
  return (await fetchApi<{ data: SignInOptions }>('/login/ways', init)).data;
}

/** Goes to the provider of an address, or of the installation. Throws `ApiError` with the words to show. */
export async function goToProvider(email?: string): Promise<void> {
  redirectTo(await post('/login/single-sign-on', email ? { email } : {}));
}

/** Signs in with what the browser brought back: a session, or the second step that is needed. Throws `ApiError`. */
export async function finishSignOn(parameters: object): Promise<Session | { step: SecondStep; email: string }> {
  const answer = await withSessionLock(() => post('/login/single-sign-on/finish', parameters));
  if (answer.second_factor) return { step: answer.second_factor, email: answer.email ?? '' };
  if (!answer.status) throw new ApiError(200, answer.message ?? 'That did not work. Please sign in again.');
  return { ...answer, ...tokenFields(answer as unknown as TokenResponse) } as Session;
}

/** Goes to the provider of whoever is signed in, to prove who they are. Throws `ApiError`. */
export async function startProofAtProvider(): Promise<void> {
  redirectTo(await post('/me/proof/single-sign-on', {}, true));
}

/** Proves who one is with what the browser brought back. Throws `ApiError`. */
export async function finishProof(parameters: object): Promise<void> {
  await post('/me/proof/single-sign-on/finish', parameters, true);
}

function redirectTo({ data, message }: SignOnResponse): void {
  if (!data) throw new ApiError(200, message ?? 'That did not work. Please try again.');
  window.location.assign(data.url);
}
