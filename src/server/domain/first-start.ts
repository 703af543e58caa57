import type { Program } from '../program';
import { indexAddresses } from './accounts';
import { ensureAdministrator, hasAdministrator } from './administrator';
import { refuseDemoInProduction } from './demo/in-force';
import { loadDemo } from './demo/load';
import { endFormerImports } from './import-history';

/**
 * Call after tables and shipped rows are ready, before requests are served. Loads demo data into an empty database if
 * the settings allow it, otherwise creates the first administrator. Throws DemoRefused in production with demo
 * accounts.
 */
export async function prepareData(program: Program): Promise<void> {
  const { settings, log } = program;
  await refuseDemoInProduction(program);
  await indexAddresses(program);
  await endFormerImports(program);
  if (settings.demo && (await loadDemo(program))) return log.info('Demo data was loaded.');
  await ensureAdministrator(program);
  if (!(await hasAdministrator(program))) {
    log.warn('This installation has no administrator yet: set ADMIN_EMAIL and ADMIN_PASSWORD and restart.');
  }
}
