import type { FastifyInstance } from 'fastify';
import type { Program } from '../../program';
import { demoAccounts, demoPassword } from './accounts';
import { demoAccountsInForce } from './in-force';

const offered: ReadonlySet<string> = new Set(demoAccounts.map(({ email }) => email));

/** `GET demo-accounts`: what the sign-in page of a program on demo data offers; on any other data, nothing. */
export function registerDemoAccounts(app: FastifyInstance, program: Program): void {
  app.get('/demo-accounts', async () => {
    const found = await demoAccountsInForce(program);
    const data = found
      .filter(({ email }) => offered.has(email))
      .map(({ email, role_name }) => ({ email, role_name, password: demoPassword }));
    return { data };
  });
}
