import { sql } from 'kysely';
import type { Program } from '../../server/program';
import { hashPassword } from '../../server/secrets/passwords';
import { demoPassword } from './accounts';
import { createCalendar } from './calendar';
import { clients, harbourClients } from './clients';
import { storeNotifications } from './notifications';
import { storePeople } from './people';
import { storeProgress } from './progress';
import { harbourProjects, projects } from './projects';
import { createRandom } from './random';
import { storeTasks } from './tasks';
import { storeTestCases } from './test-cases';
import { storeSupportTickets } from './tickets';
import { storeTimeLogs } from './time-logs';
import { storeClients, storeModules, storeProjects, type DemoLoader } from './loader';
import { onEngineTables } from '../../server/database/engine-tables';

const seed = 20_261_121;

/**
 * Loads the demo data into an empty database (without users) in one transaction. Two loads differ only in dates, which
 * are relative to `now`. Returns whether anything was loaded.
 */
export async function loadDemoData(program: Program, now = new Date()): Promise<boolean> {
  if (await hasUsers(program.database.kysely)) return false;
  const password = await hashPassword(demoPassword);
  return program.database.transaction(async (trx) => {
    // Another server that starts now waits as long as this one loads.
    await sql.raw('set local statement_timeout = 0; set local lock_timeout = 0').execute(trx);
    await sql`select pg_advisory_xact_lock(hashtextextended('demo', 0))`.execute(trx);
    if (await hasUsers(trx)) return false;
    const registry = program.definitions.registry();
    const loading: DemoLoader = { trx, registry, calendar: createCalendar(now), chance: createRandom(seed) };
    const [demo, harbour] = await storePeople(trx, registry, loading.calendar, password);
    for (const [company, ofClients, ofProjects] of [
      [demo, clients, projects],
      [harbour, harbourClients, harbourProjects],
    ] as const) {
      const ids = await storeClients(loading, company, ofClients);
      const gone = ofClients.filter(({ archived }) => archived !== undefined);
      const archived = new Map(gone.map((client) => [client.code, loading.calendar.at(-client.archived!, 16, 20)]));
      const stored = await storeProjects(loading, company, ids, archived, ofProjects);
      const shown = stored.filter(({ told }) => !archived.has(told.client));
      const modules = await storeModules(loading, company, stored);
      await storeProgress(loading, company, stored);
      const tasks = await storeTasks(loading, company, shown, modules);
      await storeTestCases(loading, company, shown, modules, tasks);
      await storeTimeLogs(loading, company, tasks);
      await storeSupportTickets(loading, company);
      await storeNotifications(loading, company, shown);
    }
    await onEngineTables(trx)
      .insertInto('meta')
      .values({ key: 'demo', value: JSON.stringify({ password, loaded_at: now.toISOString() }) })
      .execute();
    return true;
  });
}

async function hasUsers(queries: Program['database']['kysely']): Promise<boolean> {
  const found = await queries.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return found !== undefined;
}
