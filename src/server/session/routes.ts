import type { FastifyInstance } from 'fastify';
import { registerDemoAccounts } from '../domain/demo/accounts-route';
import { registerGridConfigurations } from '../grids/routes';
import { registerNotifications } from '../notifications/routes';
import { registerSharedTestCase } from '../domain/shared-test-case';
import { registerTestCaseHistory } from '../domain/test-case-history';
import { registerPermissions } from '../domain/permission-routes';
import type { Program } from '../program';
import { registerLogin } from './login';
import { registerMe } from './me';
import { createVerifier } from './passwords';
import { registerRegistration } from './register';

/** Everything about being signed in, and what belongs to the signed-in user alone. Paths follow `/api`. */
export async function registerSessionRoutes(app: FastifyInstance, program: Program): Promise<void> {
  registerLogin(app, program, await createVerifier());
  registerRegistration(app, program);
  registerMe(app, program);
  registerDemoAccounts(app, program);
  registerPermissions(app, program);
  registerGridConfigurations(app, program);
  registerNotifications(app, program);
  registerSharedTestCase(app, program);
  registerTestCaseHistory(app, program);
}
