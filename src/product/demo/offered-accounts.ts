import type { Program } from '../../server/program';
import { demoAccounts, demoPassword } from './accounts';
import { findActiveDemoAccounts } from './active-accounts';

const offered: ReadonlySet<string> = new Set(demoAccounts.map(({ email }) => email));

/** The demo accounts to offer on the sign-in page; empty without demo data. */
export async function loadOfferedAccounts(
  program: Program,
): Promise<{ email: string; role_name: string; password: string }[]> {
  const found = await findActiveDemoAccounts(program);
  return found
    .filter(({ email }) => offered.has(email))
    .map(({ email, role_name }) => ({ email, role_name, password: demoPassword }));
}
