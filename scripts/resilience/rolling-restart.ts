import { Agent, request as send } from 'node:http';
import { openBalancer } from './balancer';

/** A server to restart: its address, and its shutdown. */
export interface Restartable {
  readonly port: number;
  stop(): Promise<unknown>;
}

export interface RollingRestart {
  /** How often one of the two servers is replaced. */
  readonly restarts: number;
  readonly connections: number;
  start(): Promise<Restartable>;
  readonly request: { readonly path: string; readonly headers?: Readonly<Record<string, string>> };
  /** Milliseconds of load before the first restart and after the last one. */
  readonly pause?: number;
}

export interface RollingOutcome {
  readonly answerCount: number;
  /** Failures as text, including every response other than 200. */
  readonly failures: readonly string[];
  readonly slowest: number;
}

/**
 * Puts two servers behind a balancer, sends requests continuously over persistent connections, half of them with idle
 * pauses, and replaces the servers one after the other meanwhile.
 */
export async function restartInTurns(options: RollingRestart): Promise<RollingOutcome> {
  const { restarts, connections, start, request, pause = 200 } = options;
  const balancer = await openBalancer();
  const servers = [await start(), await start()];
  const use = () => balancer.use(servers.map(({ port }) => port));
  use();
  const failures: string[] = [];
  let answerCount = 0;
  let slowest = 0;
  let isStopped = false;

  async function load(index: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!isStopped) {
      const startTime = performance.now();
      const outcome = await ask(balancer.port, request, agent);
      slowest = Math.max(slowest, performance.now() - startTime);
      if (outcome === 200) answerCount++;
      else failures.push(String(outcome));
      if (index % 2 === 1) await wait((index * 7) % 50);
    }
    agent.destroy();
  }

  const loads = Array.from({ length: connections }, (_, index) => load(index));
  await wait(pause);
  for (let round = 0; round < restarts; round++) {
    const index = round % 2;
    // One at a time: the other serves meanwhile.
    await servers[index]!.stop();
    servers[index] = await start();
    use();
    await wait(pause);
  }
  isStopped = true;
  await Promise.all(loads);
  await Promise.all(servers.map((server) => server.stop()));
  await balancer.close();
  return { answerCount, failures, slowest: Math.round(slowest) };
}

function ask(port: number, { path, headers }: RollingRestart['request'], agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    send({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      let text = '';
      response.on('data', (part) => (text += part));
      response.on('end', () =>
        resolve(response.statusCode === 200 ? 200 : `${response.statusCode} ${text.slice(0, 200)}`),
      );
      response.on('error', (error) => resolve(error.message));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
