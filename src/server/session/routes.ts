import type { FastifyInstance } from 'fastify';
import { registerAnnouncements } from '../domain/notices/announcements';
import { registerInvitations, registerResetLinks } from '../domain/invitations';
import { registerMailTemplates } from '../domain/mail-template-routes';
import { registerDemoAccounts } from '../domain/demo/accounts-route';
import { registerImports } from '../domain/imports';
import { registerJobs } from '../domain/jobs';
import { registerOutbox } from '../domain/outbox';
import { registerGridConfigurations } from '../grids/routes';
import { registerNotifications } from '../notifications/routes';
import { registerProfile } from '../domain/profile';
import { registerSharedTestCase } from '../domain/shared-test-case';
import { registerTestCaseHistory } from '../domain/test-case-history';
import { registerViewAs } from '../domain/view-as/routes';
import { registerPermissions } from '../domain/permission-routes';
import { registerOverview } from '../domain/overview/routes';
import type { Program } from '../program';
import { registerForgotPassword } from './forgot-password';
import { registerLogin } from './login';
import { registerMe } from './me';
import { createVerifier } from './passwords';
import { registerRegistration } from './register';
import { registerProof } from './proof-routes';
import { registerRenewal } from './renewal';
import { registerCookies } from './renewal-cookie';
import { registerConfirmation, registerResetPassword } from './reset-password';

/** Everything about being signed in, and what belongs to the signed-in user alone. Paths follow `/api`. */
export async function registerSessionRoutes(app: FastifyInstance, program: Program): Promise<void> {
  const verify = await createVerifier();
  await app.register(async (scope) => {
    await registerCookies(scope);
    registerLogin(scope, program, verify);
    registerRegistration(scope, program);
    registerForgotPassword(scope, program);
    registerResetPassword(scope, program);
    registerConfirmation(scope, program);
    registerRenewal(scope, program);
    registerProof(scope, program, verify);
    registerMe(scope, program);
  });
  registerInvitations(app, program);
  registerResetLinks(app, program);
  registerMailTemplates(app, program);
  registerDemoAccounts(app, program);
  registerPermissions(app, program);
  registerViewAs(app, program);
  registerGridConfigurations(app, program);
  registerNotifications(app, program);
  registerAnnouncements(app, program);
  registerProfile(app, program);
  registerImports(app, program);
  registerJobs(app, program);
  registerOutbox(app, program);
  registerSharedTestCase(app, program);
  registerTestCaseHistory(app, program);
  registerOverview(app, program);
}
