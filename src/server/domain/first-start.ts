import type { Program } from '../program';
import { indexAddresses } from './accounts';
import { ensureAdministrator, hasAdministrator } from './administrator';
import { refuseDemoInProduction } from './demo/in-force';
import { loadDemo } from './demo/load';
import { endFormerImports } from './import-history';

/**
 * To be called once tables and shipped rows stand, before requests are served: demo data into an empty database where
 * the settings allow it, else the first administrator. Throws DemoRefused in production on demo accounts.
 */
export async function prepareData(program: Program): Promise<void> {
  const { settings, log } = program;
  await refuseDemoInProduction(program);
  await indexAddresses(program);
  await endFormerImports(program);
  if (settings.demo && (await loadDemo(program))) return log.info('Demo data was loaded.');
  await ensureAdministrator(program);
  if (!(await hasAdministrator(program))) {
    log.warn('Nobody administers this installation yet: set ADMIN_EMAIL and ADMIN_PASSWORD and start again.');
  }
}
