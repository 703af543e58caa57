import { ApiError, fetchApi } from '../session/api';
import { alone, sessionHeader, tokenOf, type TokenAnswer } from '../session/renewal';
import type { Session } from '../session/session';
import { askForPasskey } from './passkeys';

/** The methods of a second step. */
export type StepMethod = 'totp' | 'passkey' | 'recovery_code';

/** The response of a sign-in that needs a second step. */
export interface SecondStep {
  challenge: string;
  kind: 'verify' | 'setup';
  methods: StepMethod[];
}

/** The response of a second step. */
export interface StepAnswer extends Partial<Session> {
  status: boolean;
  message: string;
  tries_left?: number;
  recovery_codes?: string[];
}

/** What an authenticator app needs. */
export interface NewAuthenticator {
  secret: string;
  uri: string;
}

const post = <T>(path: string, json: object) =>
  fetchApi<T>(path, { method: 'POST', json, headers: sessionHeader, anonymous: true });

/** Submits the second step. A wrong code returns `status` false. */
export async function takeStep(values: Record<string, unknown>): Promise<StepAnswer> {
  const answer = await alone(() => post<StepAnswer & TokenAnswer>('/login/second-factor', values));
  return answer.status ? { ...answer, ...tokenOf(answer) } : answer;
}

/** Starts the setup of an authenticator during a sign-in. */
export async function beginStepAuthenticator(challenge: string): Promise<NewAuthenticator> {
  return dataOf(await post('/login/second-factor/totp', { challenge }));
}

/** Loads the options of a passkey during a sign-in. */
export async function stepPasskeyOptions<T>(challenge: string): Promise<T> {
  return dataOf(await post('/login/second-factor/passkey', { challenge }));
}

/** Signs in with a passkey alone. Throws `ApiError` with a message for the user. */
export async function signInByPasskey(): Promise<Session> {
  const options = dataOf<Parameters<typeof askForPasskey>[0]>(await post('/login/passkey/options', {}));
  const passkey = await askForPasskey(options);
  const answer = await alone(() => post<StepAnswer & TokenAnswer>('/login/passkey', { passkey }));
  if (!answer.status) throw new ApiError(200, answer.message);
  return { ...answer, ...tokenOf(answer) } as unknown as Session;
}

function dataOf<T>(answer: unknown): T {
  const { data, message } = answer as { data?: T; message?: string };
  if (data === undefined) throw new ApiError(200, message ?? 'Please sign in again.');
  return data;
}
