import type { Program } from '../program';
import { fillRoleKeys } from './permissions/roles';
import { createEmailIndex } from './users/accounts';
import { ensureAdministrator, hasAdministrator } from './users/administrator';

/**
 * Call after tables and shipped rows are ready, before requests are served. Loads demo data into an empty database if
 * the settings allow it, otherwise creates the first administrator. Throws DemoRefused in production with demo
 * accounts.
 */
export async function prepareData(program: Program): Promise<void> {
  const { settings, log } = program;
  const { demoData } = program.product;
  await demoData?.assertNotInProduction(program);
  await fillRoleKeys(program);
  await createEmailIndex(program);
  if (settings.demo && (await demoData?.load(program))) return log.info('Demo data was loaded.');
  await ensureAdministrator(program);
  if (!(await hasAdministrator(program))) {
    log.warn('This installation has no administrator yet: set ADMIN_EMAIL and ADMIN_PASSWORD and restart.');
  }
}
