import { askForPasskey } from '../second-factor/passkeys';
import { signOnPath } from '../auth/signOnCalls';
import { fetchApi } from '../session/api';

/** How somebody can prove who they are. */
export type ProofMethod = 'password' | 'totp' | 'passkey' | 'single_sign_on';

/** What is sent as a proof. */
export type ProofValues = { password: string } | { code: string } | { passkey: unknown };

/** The ways in which the signed-in person can prove who they are. */
export interface ProofWays {
  methods: ProofMethod[];
  /** What `single_sign_on` leads to. */
  provider: string | null;
}

/** How the signed-in person can prove who they are. */
export async function proofWays(signal?: AbortSignal): Promise<ProofWays> {
  return (await fetchApi<{ data: ProofWays }>('/me/proof', { signal })).data;
}

/** Opens a window at the person's provider; `onProven` tells when they are back from there. */
export function openProvider(): void {
  window.open(`${signOnPath}?proof=1`, 'assay-proof', 'popup,width=520,height=680');
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
