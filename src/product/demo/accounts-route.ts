import type { FastifyInstance } from 'fastify';
import type { Program } from '../../server/program';
import { demoAccounts, demoPassword } from './accounts';
import { findActiveDemoAccounts } from './active-accounts';

const offered: ReadonlySet<string> = new Set(demoAccounts.map(({ email }) => email));

/** `GET demo-accounts`: the demo accounts to offer on the sign-in page; empty without demo data. */
export function registerDemoAccounts(app: FastifyInstance, program: Program): void {
  app.get('/demo-accounts', async () => {
    const found = await findActiveDemoAccounts(program);
    const data = found
      .filter(({ email }) => offered.has(email))
      .map(({ email, role_name }) => ({ email, role_name, password: demoPassword }));
    return { data };
  });
}
