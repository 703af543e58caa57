import { askForPasskey } from '../second-factor/passkeys';
import { fetchApi } from '../session/api';

/** How somebody can prove who they are. */
export type ProofMethod = 'password' | 'totp' | 'passkey';

/** What is sent as a proof. */
export type ProofValues = { password: string } | { code: string } | { passkey: unknown };

/** The ways in which the signed-in person can prove who they are. */
export async function proofMethods(signal?: AbortSignal): Promise<ProofMethod[]> {
  return (await fetchApi<{ data: { methods: ProofMethod[] } }>('/me/proof', { signal })).data.methods;
}

/** Proves who one is. Throws `ApiError` with what is wrong with which field. */
export async function prove(values: ProofValues): Promise<void> {
  await fetchApi('/me/proof', { method: 'POST', json: values });
}

/** Has the person use a passkey as a proof. */
export async function passkeyProof(): Promise<ProofValues> {
  type Options = Parameters<typeof askForPasskey>[0];
  const { data } = await fetchApi<{ data: Options }>('/me/proof/passkey', { method: 'POST' });
  return { passkey: await askForPasskey(data) };
}
