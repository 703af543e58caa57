import { openDatabaseProxy } from '../../../tests/support/database-proxy';
import { startDatabase } from '../database';
import { openEventStream } from '../events';
import type { ResilienceStep } from '../step';
import { pause, signIn, startServer, fetchToken, type ServerClient } from '../server';

const noticedWithin = 5_000;
/** Reloading everything takes time on a busy machine. */
const honouredWithin = 8_000;
/** The role of QA. */
const role = 5;

/**
 * Of two servers on one database, one's LISTEN connection is frozen or closed while the other revokes a permission and
 * publishes a definition: the first one notices, applies both, and tells browsers to reload everything.
 */
export const deadListenConnection: ResilienceStep = {
  title: 'a listening connection that is dead',
  minutes: 3,
  async run(context) {
    const database = await startDatabase(context);
    const proxy = await openDatabaseProxy(database.url);
    context.addCleanup(() => proxy.close());
    const listeningServer = await startServer(context, { env: { DATABASE_URL: proxy.url } });
    const otherServer = await startServer(context, { env: { DATABASE_URL: database.url } });
    const admin = await signIn(otherServer.address, 'admin@demo.test');
    const [owner, qa] = [await signIn(listeningServer.address), await signIn(listeningServer.address, 'qa@demo.test')];
    const mayRead = async () => (await qa('GET', '/priorities?range=[0,0]')).status === 200;
    const events = await openEventStream(context, listeningServer.address, await fetchToken(listeningServer.address));
    const slowest = { noticed: 0, grants: 0, published: 0, told: 0 };
    const rounds = context.quick ? 1 : 8;
    for (let round = 0; round < rounds; round++) {
      await grantReading(admin, true);
      await waitUntil(performance.now(), honouredWithin, 'a permission is honoured', mayRead);
      const [notifications, lossCount] = [events.count('*'), losses(listeningServer.log)];
      const label = `Label ${round}`;
      const startTime = performance.now();
      if (round % 2 === 0) proxy.freeze(/^listen /i);
      else
        await database.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'assay-listen'",
        );
      await grantReading(admin, false);
      await publishLabel(admin, label);
      const changeLimit = honouredWithin + performance.now() - startTime;
      const measure = (
        name: keyof typeof slowest,
        limit: number,
        title: string,
        isReached: () => Promise<boolean> | boolean,
      ) => waitUntil(startTime, limit, title, isReached).then((ms) => (slowest[name] = Math.max(slowest[name], ms)));
      await Promise.all([
        measure('noticed', noticedWithin, 'the loss is noticed', () => losses(listeningServer.log) > lossCount),
        measure('grants', changeLimit, 'a permission that was taken away is refused', async () => !(await mayRead())),
        measure('published', changeLimit, 'a publication is in force', async () => (await labelAt(owner)) === label),
        measure('told', changeLimit, 'open streams are told', () => events.count('*') > notifications),
      ]);
    }
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    return `${rounds} times: noticed within ${seconds(slowest.noticed)}, a permission taken away honoured within ${seconds(slowest.grants)}, a publication within ${seconds(slowest.published)}, streams told within ${seconds(slowest.told)}`;
  },
};

const losses = (log: readonly string[]) =>
  log.filter((line) => line.includes('database connection for notifications was lost')).length;

async function waitUntil(
  startTime: number,
  limit: number,
  title: string,
  isReached: () => Promise<boolean> | boolean,
): Promise<number> {
  for (; ; await pause(50)) {
    if (await isReached()) return performance.now() - startTime;
    if (performance.now() - startTime > limit) throw new Error(`not within ${(limit / 1000).toFixed(1)} s: ${title}`);
  }
}

/** Lets the role list and see priorities, or not. */
async function grantReading(admin: ServerClient, mayRead: boolean): Promise<void> {
  const roles = (await admin<{ data: { role_id: number; modulePermission: string[] }[] }>('GET', '/permissions')).body
    .data;
  const reading = ['priorities.list', 'priorities.view'];
  const { modulePermission } = roles.find(({ role_id }) => role_id === role)!;
  const otherPermissions = modulePermission.filter((id) => !reading.includes(id));
  const { status, body } = await admin('PUT', `/permissions/${role}`, {
    modulePermission: mayRead ? [...otherPermissions, ...reading] : otherPermissions,
  });
  if (status !== 200) throw new Error(`permissions are not saved: ${status} ${JSON.stringify(body)}`);
}

async function publishLabel(admin: ServerClient, label: string): Promise<void> {
  type Source = { fields: { option_name: { label?: string } } };
  const { definition, version } = (
    await admin<{ data: { definition: Source; version: number } }>('GET', '/modules/priorities')
  ).body.data;
  definition.fields.option_name.label = label;
  const { status, body } = await admin('PUT', '/modules/priorities', { definition, version });
  if (status !== 200) throw new Error(`a definition is not published: ${status} ${JSON.stringify(body)}`);
}

async function labelAt(owner: ServerClient): Promise<string | undefined> {
  type Data = { data: { name: string; fields: Record<string, { label: string }> }[] };
  const { body } = await owner<Data>('GET', '/definitions');
  return body.data.find(({ name }) => name === 'priorities')?.fields.option_name?.label;
}
