import { fetchApi } from '../../session/api';
import { createPasskey } from '../../auth/second-factor/passkeys';
import type { NewAuthenticator } from '../../auth/second-factor/secondStepApi';

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

interface RecoveryCodesResponse {
  recovery_codes: string[] | null;
}

export const factorsKey = ['second-factor'];

async function callApi<T>(method: string, path: string, json?: object): Promise<T> {
  return (await fetchApi<{ data: T }>(`/me/${path}`, { method, json })).data;
}

export const fetchFactors = () => callApi<Factors>('GET', 'second-factor');
export const startAuthenticatorSetup = () => callApi<NewAuthenticator>('POST', 'second-factor/totp');
export const confirmAuthenticator = (code: string) =>
  callApi<RecoveryCodesResponse>('POST', 'second-factor/totp/confirm', { code });
export const removeAuthenticator = () => callApi<null>('DELETE', 'second-factor/totp');
export const createRecoveryCodes = () => callApi<RecoveryCodesResponse>('POST', 'recovery-codes');
export const renamePasskey = (id: number, name: string) => callApi<Passkey>('PUT', `passkeys/${id}`, { name });
export const removePasskey = (id: number) => callApi<Passkey>('DELETE', `passkeys/${id}`);

/** Creates a passkey in the browser and registers it under a name. Throws ApiError, or the browser's error. */
export async function addPasskey(name: string): Promise<Passkey & RecoveryCodesResponse> {
  const passkey = await createPasskey(await callApi('POST', 'passkeys/options'));
  return callApi<Passkey & RecoveryCodesResponse>('POST', 'passkeys', { name, passkey });
}
