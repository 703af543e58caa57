import { promptForPasskey } from '../auth/second-factor/passkeys';
import { signOnPath } from '../auth/signOnApi';
import { fetchApi } from '../session/api';

/** The methods to confirm an identity. */
export type ProofMethod = 'password' | 'totp' | 'passkey' | 'single_sign_on';

/** The values of a proof of identity. */
export type ProofValues = { password: string } | { code: string } | { passkey: unknown };

/** The methods that the signed-in user can confirm their identity with. */
export interface ProofOptions {
  methods: ProofMethod[];
  /** The name of the user's identity provider. */
  provider: string | null;
}

/** Loads how the signed-in user can confirm their identity. */
export async function fetchProofOptions(signal?: AbortSignal): Promise<ProofOptions> {
  return (await fetchApi<{ data: ProofOptions }>('/me/proof', { signal })).data;
}

/**
 * Opens the user's identity provider in a window; `onProven` is called when they have confirmed their identity there.
 */
export function openProvider(): void {
  window.open(`${signOnPath}?proof=1`, 'assay-proof', 'popup,width=520,height=680');
}

/** Confirms the user's identity. Throws `ApiError` with an error per field. */
export async function submitProof(values: ProofValues): Promise<void> {
  await fetchApi('/me/proof', { method: 'POST', json: values });
}

/** Confirms the user's identity with a passkey. */
export async function createPasskeyProof(): Promise<ProofValues> {
  type Options = Parameters<typeof promptForPasskey>[0];
  const { data } = await fetchApi<{ data: Options }>('/me/proof/passkey', { method: 'POST' });
  return { passkey: await promptForPasskey(data) };
}
