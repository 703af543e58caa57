import { fetchApi } from '../../src/app/session/api';
import { makePasskey } from '../../src/app/second-factor/passkeys';
import type { NewAuthenticator } from '../../src/app/second-factor/stepCalls';

/** A passkey of the user. */
export interface Passkey {
  id: number;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** The user's second factors. */
export interface Factors {
  authenticator_since: string | null;
  recovery_codes_left: number;
  passkeys: Passkey[];
  required: { by: 'role' | 'company'; from: string | null } | null;
}

interface Codes {
  recovery_codes: string[] | null;
}

export const factorsKey = ['second-factor'];

async function ask<T>(method: string, path: string, json?: object): Promise<T> {
  return (await fetchApi<{ data: T }>(`/me/${path}`, { method, json })).data;
}

export const readFactors = () => ask<Factors>('GET', 'second-factor');
export const beginAuthenticator = () => ask<NewAuthenticator>('POST', 'second-factor/totp');
export const confirmAuthenticator = (code: string) => ask<Codes>('POST', 'second-factor/totp/confirm', { code });
export const removeAuthenticator = () => ask<null>('DELETE', 'second-factor/totp');
export const makeRecoveryCodes = () => ask<Codes>('POST', 'recovery-codes');
export const renamePasskey = (id: number, name: string) => ask<Passkey>('PUT', `passkeys/${id}`, { name });
export const removePasskey = (id: number) => ask<Passkey>('DELETE', `passkeys/${id}`);

/** Creates a passkey in the browser and registers it under a name. Throws ApiError, or the browser's error. */
export async function addPasskey(name: string): Promise<Passkey & Codes> {
  const passkey = await makePasskey(await ask('POST', 'passkeys/options'));
  return ask<Passkey & Codes>('POST', 'passkeys', { name, passkey });
}
