import { get } from 'node:http';
import { startDatabase, type RunningDatabase } from '../database';
import type { ResilienceStep } from '../step';
import { callServer, pause, startServer, fetchToken, type ServerClient } from '../server';

/**
 * As many users as a large company has, each with an account, an open event stream and pauses: no refusals, no
 * failures, and quick responses.
 */
export const people: ResilienceStep = {
  title: '200 people at work for two minutes',
  minutes: 7,
  async run(context) {
    const [count, seconds] = context.quick ? [20, 5] : [200, 120];
    const database = await startDatabase(context);
    const server = await startServer(context, { env: { DATABASE_URL: database.url } });
    const addresses = await addPeople(database, count);
    const clients: ServerClient[] = [];
    let events = 0;
    for (const email of addresses) {
      const authorization = `Bearer ${await fetchToken(server.address, email)}`;
      clients.push((method, path, body) => callServer(server.address, method, path, body, { authorization }));
      context.addCleanup(await openStream(server.address, authorization, () => events++));
    }
    const times: number[] = [];
    const failures = new Map<string, number>();
    const deadline = Date.now() + seconds * 1000;
    const [slowest] = await Promise.all([
      watchHealth(server.address, deadline),
      ...clients.map((client, index) => work(client, index, deadline, times, failures)),
    ]);
    if (failures.size > 0) throw new Error([...failures].map(([failure, times]) => `${failure} × ${times}`).join(', '));
    times.sort((left, right) => left - right);
    const percentile = (share: number) =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(0);
    return `${count} people, ${times.length} calls, 0 failed, ${events} events; half within ${percentile(0.5)} ms, 99 % within ${percentile(0.99)} ms; slowest health ${slowest.toFixed(0)} ms`;
  },
};

/** Creates colleagues of the demo's QA engineer, with the same password; returns their addresses. */
async function addPeople(database: RunningDatabase, count: number): Promise<string[]> {
  const columns = (
    await database.query<{ name: string }>(
      `select string_agg(quote_ident(attname), ', ') as name from pg_attribute
       where attrelid = 'public.users'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
         and attname not in ('id', 'email')`,
    )
  )[0]!.name;
  const rows = await database.query<{ email: string }>(
    `insert into public.users (email, ${columns})
     select 'person' || n || '@demo.test', ${columns} from public.users, generate_series(1, $1) n
     where email = 'qa@demo.test' returning email`,
    [count],
  );
  return rows.map(({ email }) => email);
}

/** Opens a user's event stream and counts the events. Returns a function that closes it. */
function openStream(address: string, authorization: string, onEvent: () => void): Promise<() => void> {
  return new Promise((resolve, fail) => {
    const request = get(`${address}/api/events`, { agent: false, headers: { authorization } }, (answer) => {
      if (answer.statusCode !== 200) return fail(new Error(`a stream of events answers ${answer.statusCode}`));
      answer
        .setEncoding('utf8')
        .on('data', (text: string) => text.split('\ndata: ').forEach((_, index) => index && onEvent()));
      answer.on('error', () => undefined);
      resolve(() => request.destroy());
    });
    request.on('error', fail);
  });
}

/** One user: reads lists, opens records, sometimes writes, and pauses in between. */
async function work(
  client: ServerClient,
  person: number,
  deadline: number,
  times: number[],
  failures: Map<string, number>,
): Promise<void> {
  const callTimed = async <T>(method: string, path: string, body?: unknown) => {
    const startTime = performance.now();
    const answer = await client<T>(method, path, body);
    times.push(performance.now() - startTime);
    if (answer.status >= 400 || answer.status === 0) {
      const failure = `${method} ${path.split('?')[0]!.replace(/\d+/g, 'N')}: ${answer.status} ${(answer.body as { message?: string } | undefined)?.message ?? ''}`;
      failures.set(failure, (failures.get(failure) ?? 0) + 1);
    }
    return answer.body;
  };
  await pause(Math.random() * 2000);
  for (let round = person; Date.now() < deadline; round++) {
    const page = await callTimed<{ data?: { id: number }[] }>('GET', '/test-cases?range=[0,14]&sort_by=-id');
    const id = page?.data?.[round % 15]?.id;
    const record =
      id === undefined
        ? undefined
        : await callTimed<{ data?: { assign: { id: number } | null } }>('GET', `/test-cases/${id}`);
    const assigned_to = record?.data?.assign?.id;
    if (round % 3 === 0) await callTimed('GET', '/dashboard');
    if (round % 4 === 0) await callTimed('GET', '/tasks?range=[0,14]&q=login');
    if (round % 5 === 0 && assigned_to !== undefined) {
      const remark = { status_id: 2, assigned_to, comments: `Looked at by person ${person}` };
      await callTimed('PATCH', `/test-case/${id}`, remark);
    }
    await pause(500 + Math.random() * 1500);
  }
}

/** The slowest health response in milliseconds, polled four times a second. */
async function watchHealth(address: string, deadline: number): Promise<number> {
  let slowest = 0;
  while (Date.now() < deadline) {
    const startTime = performance.now();
    const { status } = await callServer(address, 'GET', '/health');
    if (status !== 200) throw new Error(`health answers ${status}`);
    slowest = Math.max(slowest, performance.now() - startTime);
    await pause(250);
  }
  return slowest;
}
