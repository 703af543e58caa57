import type { FastifyInstance } from 'fastify';
import type { Program } from '../../program';
import { sessionCalls } from './calls';

/** `GET demo-accounts`: the demo accounts to offer on the sign-in page; empty without demo data. */
export function registerDemoAccounts(app: FastifyInstance, program: Program): void {
  app.get('/demo-accounts', sessionCalls.demoAccounts, async () => ({
    data: (await program.product.demoData?.loadAccounts(program)) ?? [],
  }));
}
