import { createDemoData } from '../../server/accounts/demo-data';
import { demoAccounts, demoAddresses, demoPassword } from './accounts';
import { createCalendar } from './calendar';
import { clients, harbourClients } from './clients';
import { storeNotifications } from './notifications';
import { storePeople } from './people';
import { storeProgress } from './progress';
import { harbourProjects, projects } from './projects';
import { createRandom } from './random';
import { storeTestRuns } from './test-runs';
import { storeTasks } from './tasks';
import { storeTestCases } from './test-cases';
import { storeSupportTickets } from './tickets';
import { storeTimeLogs } from './time-logs';
import { storeClients, storeModules, storeProjects, type DemoLoader } from './loader';

const seed = 20_261_121;

/** The demo data of the product. Two loads differ only in dates, which are relative to the day of loading. */
export const demoData = createDemoData({
  password: demoPassword,
  addresses: demoAddresses,
  offeredAddresses: demoAccounts.map(({ email }) => email),
  async store(program, trx, password, now) {
    const registry = program.definitions.registry();
    const loading: DemoLoader = { trx, registry, calendar: createCalendar(now), chance: createRandom(seed) };
    const [demo, harbour] = await storePeople(trx, registry, loading.calendar, password);
    for (const [company, ofClients, ofProjects] of [
      [demo, clients, projects],
      [harbour, harbourClients, harbourProjects],
    ] as const) {
      const ids = await storeClients(loading, company, ofClients);
      const archived = new Map(
        ofClients.flatMap(({ code, archived: daysAgo }) =>
          daysAgo === undefined ? [] : [[code, loading.calendar.at(-daysAgo, 16, 20)]],
        ),
      );
      const storedProjects = await storeProjects(loading, company, ids, archived, ofProjects);
      const visibleProjects = storedProjects.filter(({ told: project }) => !archived.has(project.client));
      const modules = await storeModules(loading, company, storedProjects);
      await storeProgress(loading, company, storedProjects);
      const tasks = await storeTasks(loading, company, visibleProjects, modules);
      await storeTestCases(loading, company, visibleProjects, modules, tasks);
      await storeTimeLogs(loading, company, tasks);
      await storeSupportTickets(loading, company);
      await storeNotifications(loading, company, visibleProjects);
      await storeTestRuns(loading, company, visibleProjects);
    }
  },
});
