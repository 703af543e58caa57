import { ApiError, fetchApi } from '../../session/api';
import { withSessionLock, sessionHeader, tokenFields, type TokenResponse } from '../../session/renewal';
import type { Session } from '../../session/session';
import { promptForPasskey } from './passkeys';

/** The methods of a second step. */
export type StepMethod = 'totp' | 'passkey' | 'recovery_code';

/** The response of a sign-in that needs a second step. */
export interface SecondStep {
  challenge: string;
  kind: 'verify' | 'setup';
  methods: StepMethod[];
}

/** The response of a second step. */
export interface SecondStepResponse extends Partial<Session> {
  status: boolean;
  message: string;
  tries_left?: number;
  recovery_codes?: string[];
}

/** The secret for an authenticator app. */
export interface NewAuthenticator {
  secret: string;
  uri: string;
}

const post = <T>(path: string, json: object) =>
  fetchApi<T>(path, { method: 'POST', json, headers: sessionHeader, anonymous: true });

/** Submits the second step. A wrong code returns `status` false. */
export async function submitSecondStep(values: Record<string, unknown>): Promise<SecondStepResponse> {
  const answer = await withSessionLock(() => post<SecondStepResponse & TokenResponse>('/login/second-factor', values));
  return answer.status ? { ...answer, ...tokenFields(answer) } : answer;
}

/** Starts the setup of an authenticator during a sign-in. */
export async function startAuthenticatorSetup(challenge: string): Promise<NewAuthenticator> {
  return unwrapData(await post('/login/second-factor/totp', { challenge }));
}

/** Loads the options of a passkey during a sign-in. */
export async function fetchStepPasskeyOptions<T>(challenge: string): Promise<T> {
  return unwrapData(await post('/login/second-factor/passkey', { challenge }));
}

/** Signs in with a passkey alone. Throws `ApiError` with a message for the user. */
export async function signInByPasskey(): Promise<Session> {
  const options = unwrapData<Parameters<typeof promptForPasskey>[0]>(await post('/login/passkey/options', {}));
  const passkey = await promptForPasskey(options);
  const answer = await withSessionLock(() => post<SecondStepResponse & TokenResponse>('/login/passkey', { passkey }));
  if (!answer.status) throw new ApiError(200, answer.message);
  return { ...answer, ...tokenFields(answer) } as unknown as Session;
}

function unwrapData<T>(answer: unknown): T {
  const { data, message } = answer as { data?: T; message?: string };
  if (data === undefined) throw new ApiError(200, message ?? 'Please sign in again.');
  return data;
}
