import { Agent, request as send, type RequestOptions } from 'node:https';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { freePort } from '../../../src/server/database/embedded/free-port';
import { demoPassword } from '../../../src/product/demo/accounts';
import { startDatabase, type RunningDatabase } from '../database';
import type { StepContext, ResilienceStep } from '../step';
import { isInstalled, proxyKinds, type ProxyKind } from '../proxies';
import { pause, signIn, startServer, type RunningServer } from '../server';

/**
 * Two servers behind each proxy of `deploy/`, with TLS: the application, a sign-in renewed by its cookie, live events,
 * client addresses that cannot be forged, size limits, and a rolling restart under load.
 */
export const proxies: ResilienceStep = {
  title: `two servers behind ${proxyKinds.map(({ name }) => name).join(', ')}`,
  minutes: 6,
  impossible: () => (installed().length === 0 ? 'no proxy is installed (nginx, haproxy or caddy)' : undefined),
  async run(context) {
    const database = await startDatabase(context);
    const reports: string[] = [];
    for (const kind of installed()) {
      try {
        reports.push(`${kind.name} ${await behind(context, database, kind)}`);
      } catch (error) {
        throw new Error(`${kind.name}: ${(error as Error).message}`, { cause: error });
      }
    }
    return reports.join('; ');
  },
};

const installed = () => proxyKinds.filter(({ name }) => isInstalled(name));

async function behind(context: StepContext, database: RunningDatabase, kind: ProxyKind): Promise<string> {
  const port = await freePort();
  const address = `https://localhost:${port}`;
  const ports = [await freePort(), await freePort()] as [number, number];
  const env = {
    DATABASE_URL: database.url,
    PUBLIC_URL: address,
    TRUST_PROXY: '1',
    SHUTDOWN_DELAY: String(kind.shutdownDelay),
  };
  const start = (index: 0 | 1) => startServer(context, { port: ports[index], env });
  const servers: [RunningServer, RunningServer] = [await start(0), await start(1)];
  const proxy = kind.start(context, port, await freePort(), ports);
  const agent = new Agent({ rejectUnauthorized: false, keepAlive: true, maxSockets: 64 });
  context.addCleanup(() => agent.destroy());
  const ask: Ask = (method, path, options) => call(agent, port, method, path, options);
  await untilServed(ask, proxy);

  await application(ask);
  const token = await renewableSignIn(ask, address);
  await addresses(ask, database, token);
  const delay = await liveEvents(agent, port, token, servers[1].address);
  await sizes(ask, token, kind.tooLarge);

  const load = startLoad(ask, token);
  await pause(1_000);
  const codes: (number | null)[] = [];
  for (const index of [0, 1] as const) {
    codes.push(await servers[index].stop());
    servers[index] = await start(index);
    // Long enough for the proxy to take the server in again.
    await pause(5_000);
  }
  const { answerCount, failures } = await load();
  if (failures.length > 0)
    throw new Error(`${failures.length} of ${answerCount} calls failed while servers were restarted: ${failures[0]}`);
  if (codes.some((code) => code !== 0)) throw new Error(`servers ended with ${codes.join(', ')}`);
  proxy.kill('SIGTERM');
  for (const server of servers) await server.kill();
  return `events after ${delay} ms, 2 restarts with ${answerCount} calls and 0 failures`;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bytes?: Buffer;
}

type Ask = (method: string, path: string, options?: AskOptions) => Promise<Answer>;

function call(agent: Agent, port: number, method: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const bytes = options.bytes ?? (options.body === undefined ? undefined : Buffer.from(JSON.stringify(options.body)));
  const headers = {
    ...(options.body !== undefined && { 'content-type': 'application/json' }),
    ...(bytes && { 'content-length': String(bytes.length) }),
    ...options.headers,
  };
  return new Promise((resolve, fail) => {
    const clientRequest = send(
      { host: 'localhost', port, method, path, headers, agent } satisfies RequestOptions,
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('error', fail);
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
      },
    );
    clientRequest.on('error', fail);
    clientRequest.end(bytes);
  });
}

async function untilServed(ask: Ask, proxy: ChildProcess): Promise<void> {
  for (const limit = Date.now() + 30_000; Date.now() < limit; await pause(200)) {
    const answer = await ask('GET', '/api/health/ready').catch(() => undefined);
    if (answer?.status === 200) return;
    if (proxy.exitCode !== null) throw new Error(`it ended with ${proxy.exitCode}`);
  }
  throw new Error('it does not lead to the servers');
}

function assert(isMet: boolean, words: string): void {
  if (!isMet) throw new Error(words);
}

async function application(ask: Ask): Promise<void> {
  const page = await ask('GET', '/');
  assert(page.status === 200 && page.text.includes('<script'), `the application answers ${page.status}`);
  assert('strict-transport-security' in page.headers, 'the page is sent without Strict-Transport-Security');
}

/** Signs in like a browser, and renews the session with its cookie. Returns the new token. */
async function renewableSignIn(ask: Ask, origin: string): Promise<string> {
  const headers = { 'x-session': 'renewable', origin };
  const body = { email: 'owner@demo.test', password: demoPassword };
  const signedIn = await ask('POST', '/api/login', { headers, body });
  const { sign_in_id } = JSON.parse(signedIn.text) as { sign_in_id: number };
  const [cookie = ''] = (signedIn.headers['set-cookie'] ?? []) as string[];
  assert(
    /; ?Secure/i.test(cookie) && /HttpOnly/i.test(cookie),
    `the cookie is not meant for TLS alone: ${cookie.replace(/=[^;]*/, '=…')}`,
  );
  const renew = (requestOrigin: string) =>
    ask('POST', '/api/session/renew', {
      headers: { 'x-session': 'renewable', origin: requestOrigin, cookie: cookie.split(';')[0]! },
      body: { sign_in_id },
    });
  assert((await renew('https://elsewhere.test')).status === 403, 'another site may renew a sign-in');
  const renewed = await renew(origin);
  assert(renewed.status === 200, `a renewal answers ${renewed.status}: ${renewed.text}`);
  return (JSON.parse(renewed.text) as { token: string }).token;
}

/** The client's claim about its address is ignored, the proxy's is used. */
async function addresses(ask: Ask, database: RunningDatabase, token: string): Promise<void> {
  const id = randomUUID();
  const forgedHeaders = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'http',
  };
  await ask('POST', '/api/login', {
    headers: { ...forgedHeaders, 'x-request-id': id },
    body: { email: 'owner@demo.test', password: demoPassword },
  });
  const [line] = await database.query<{ address: string }>(
    'select address from assay.security_log where address is not null order by id desc limit 1',
  );
  assert(
    ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(line!.address),
    `the security log has the address ${line!.address}`,
  );
  const me = await ask('GET', '/api/me', { headers: { authorization: `Bearer ${token}` } });
  assert(me.status === 200 && typeof me.headers['x-request-id'] === 'string', 'the id of a request does not come back');
}

/** Opens a stream through the proxy, triggers an event on a server, and returns the milliseconds until it arrives. */
async function liveEvents(agent: Agent, port: number, token: string, server: string): Promise<number> {
  const owner = await signIn(server);
  return new Promise((resolve, fail) => {
    const timer = setTimeout(() => fail(new Error('an event did not come within 5 s')), 5_000);
    let happened = 0;
    const options = {
      host: 'localhost',
      port,
      path: '/api/events',
      agent,
      headers: { authorization: `Bearer ${token}` },
    };
    const clientRequest = send(options, (answer) => {
      if (answer.statusCode !== 200) return fail(new Error(`the stream answers ${answer.statusCode}`));
      answer.setEncoding('utf8').on('data', (part: string) => {
        if (!part.includes('"priorities"')) return;
        clearTimeout(timer);
        clientRequest.destroy();
        resolve(Date.now() - happened);
      });
      answer.on('error', () => undefined);
      happened = Date.now();
      void owner('POST', '/priorities', { option_name: `Behind a proxy ${randomUUID()}` });
    });
    clientRequest.on('error', (error) => (clearTimeout(timer), fail(error)));
    clientRequest.end();
  });
}

/** Accepted sizes pass, larger ones are refused by Assay with a message, and the proxy stops much larger ones. */
async function sizes(ask: Ask, token: string, tooLarge: readonly number[]): Promise<void> {
  const authorization = `Bearer ${token}`;
  const json = (bytes: number) =>
    ask('POST', '/api/priorities', { headers: { authorization }, body: { option_name: 'x'.repeat(bytes) } });
  const tooLargeAnswer = await json(6_000_000);
  assert(
    tooLargeAnswer.status === 413 && tooLargeAnswer.text.includes('"code":"TOO_LARGE"'),
    `6 MB of JSON are answered with ${tooLargeAnswer.status}`,
  );
  const form = (bytes: number) => {
    const head =
      '--edge\r\nContent-Disposition: form-data; name="profile_photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
    const file = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 1), Buffer.from('\r\n--edge--\r\n')]);
    return ask('POST', '/api/imports?type=tasks', {
      headers: { authorization, 'content-type': 'multipart/form-data; boundary=edge' },
      bytes: file,
    });
  };
  const acceptedAnswer = await form(4_900_000);
  assert(
    acceptedAnswer.status < 500 && acceptedAnswer.status !== 413,
    `a form of 4.9 MB is answered with ${acceptedAnswer.status}`,
  );
  const hugeAnswer = await form(160_000_000).catch((error: NodeJS.ErrnoException) => ({ status: error.code }));
  const isRefused =
    typeof hugeAnswer.status === 'number'
      ? tooLarge.includes(hugeAnswer.status)
      : ['EPIPE', 'ECONNRESET'].includes(hugeAnswer.status!);
  assert(isRefused, `a form of 160 MB is answered with ${hugeAnswer.status}`);
}

/** Reads and writes continuously on 16 connections. The returned function stops it. */
function startLoad(ask: Ask, token: string): () => Promise<{ answerCount: number; failures: readonly string[] }> {
  const headers = { authorization: `Bearer ${token}` };
  const failures: string[] = [];
  let [answerCount, isStopped] = [0, false];
  const loops = Array.from({ length: 16 }, async (_, index) => {
    for (let turn = index; !isStopped; turn++) {
      const [method, path, body] =
        turn % 8 === 0
          ? ['POST', '/api/priorities', { option_name: `Load ${randomUUID()}` }]
          : ['GET', '/api/clients?range=[0,14]', undefined];
      const answer = await ask(method as string, path as string, { headers, body }).catch((error: Error) => ({
        status: error.message,
        text: '',
      }));
      if (answer.status === 200 || answer.status === 201) answerCount++;
      else failures.push(`${method}: ${answer.status} ${answer.text.slice(0, 100)}`);
      await pause(index * 2);
    }
  });
  return async () => {
    isStopped = true;
    await Promise.all(loops);
    return { answerCount, failures };
  };
}
