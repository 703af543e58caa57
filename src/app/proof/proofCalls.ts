import { askForPasskey } from '../second-factor/passkeys';
import { signOnPath } from '../auth/signOnCalls';
import { fetchApi } from '../session/api';

/** The methods to confirm an identity. */
export type ProofMethod = 'password' | 'totp' | 'passkey' | 'single_sign_on';

/** The values of a proof of identity. */
export type ProofValues = { password: string } | { code: string } | { passkey: unknown };

/** The methods that the signed-in user can confirm their identity with. */
export interface ProofWays {
  methods: ProofMethod[];
  /** The name of the user's identity provider. */
  provider: string | null;
}

/** Loads how the signed-in user can confirm their identity. */
export async function proofWays(signal?: AbortSignal): Promise<ProofWays> {
  return (await fetchApi<{ data: ProofWays }>('/me/proof', { signal })).data;
}

/**
 * Opens the user's identity provider in a window; `onProven` is called when they have confirmed their identity there.
 */
export function openProvider(): void {
  window.open(`${signOnPath}?proof=1`, 'assay-proof', 'popup,width=520,height=680');
}

/** Confirms the user's identity. Throws `ApiError` with an error per field. */
export async function prove(values: ProofValues): Promise<void> {
  await fetchApi('/me/proof', { method: 'POST', json: values });
}

/** Confirms the user's identity with a passkey. */
export async function passkeyProof(): Promise<ProofValues> {
  type Options = Parameters<typeof askForPasskey>[0];
  const { data } = await fetchApi<{ data: Options }>('/me/proof/passkey', { method: 'POST' });
  return { passkey: await askForPasskey(data) };
}
