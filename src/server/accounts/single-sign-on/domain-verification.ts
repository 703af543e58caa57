import { Resolver } from 'node:dns/promises';
import type { Program } from '../../program';

const prefix = 'assay-verification=';

/** The TXT record that verifies who owns a domain. */
export function verificationRecord(domain: string, token: string): { name: string; type: 'TXT'; value: string } {
  return { name: `_assay.${domain}`, type: 'TXT', value: `${prefix}${token}` };
}

/** The result of a lookup: `silent` if no name server responded. */
export type VerificationResult = 'found' | 'missing' | 'other' | 'silent';

/** Looks up the record of a domain. */
export async function lookUpVerification(
  { settings }: Program,
  domain: string,
  token: string,
): Promise<VerificationResult> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const { nameServers } = settings.singleSignOn;
  if (nameServers) resolver.setServers([...nameServers]);
  const { name, value } = verificationRecord(domain, token);
  try {
    const records = (await resolver.resolveTxt(name)).map((parts) => parts.join('').trim());
    if (records.includes(value)) return 'found';
    return records.some((record) => record.startsWith(prefix)) ? 'other' : 'missing';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTFOUND' || code === 'ENODATA' ? 'missing' : 'silent';
  }
}
