import { fetchApi } from '../session/api';

/** How somebody can prove who they are. */
export type ProofMethod = 'password' | 'totp' | 'passkey';

/** What is sent as a proof. */
export type ProofValues = { password: string } | { code: string } | { passkey: unknown; challenge: string };

/** The ways in which the signed-in person can prove who they are. */
export async function proofMethods(signal?: AbortSignal): Promise<ProofMethod[]> {
  return (await fetchApi<{ data: { methods: ProofMethod[] } }>('/me/proof', { signal })).data.methods;
}

/** Proves who one is. Throws `ApiError` with what is wrong with which field. */
export async function prove(values: ProofValues): Promise<void> {
  await fetchApi('/me/proof', { method: 'POST', json: values });
}
