import { get } from 'node:http';
import { callServer, pause, type RunningServer } from './server';

/** The health checks while something was done to the program; times in milliseconds. */
export interface HealthResult {
  /** Of liveness, which must always be 200. */
  readonly slowest: number;
  readonly checkCount: number;
}

export interface HealthWatch {
  /** Resolves at the next readiness response that is 200, or is not, with the milliseconds since now. */
  waitUntil(isReady: boolean, limit: number): Promise<number>;
  /** Stops watching. Throws if liveness was ever not 200. */
  stop(): Promise<HealthResult>;
}

/** Polls liveness and readiness. */
export function watchHealth({ address }: Pick<RunningServer, 'address'>, interval = 50): HealthWatch {
  let [slowest, checkCount, isStopped] = [0, 0, false];
  const faults: string[] = [];
  const live = (async () => {
    for (; !isStopped; await pause(interval)) {
      const startTime = performance.now();
      const { status } = await callServer(address, 'GET', '/health/live');
      slowest = Math.max(slowest, performance.now() - startTime);
      checkCount++;
      if (status !== 200) faults.push(`liveness answers ${status}`);
    }
  })();
  return {
    async waitUntil(isReady, limit) {
      const startTime = performance.now();
      for (; performance.now() - startTime < limit; await pause(interval)) {
        const { status } = await callServer(address, 'GET', '/health/ready');
        if ((status === 200) === isReady) return performance.now() - startTime;
      }
      throw new Error(`readiness is not ${isReady ? '200' : '503'} after ${limit / 1000} s`);
    },
    async stop() {
      isStopped = true;
      await live;
      if (faults.length > 0) throw new Error(`${faults[0]} (${faults.length} of ${checkCount})`);
      return { slowest: Math.round(slowest), checkCount };
    },
  };
}

/**
 * Asks for liveness and readiness as a load balancer does, each time on a connection of its own and without waiting for
 * earlier answers. `stop` resolves once all have come, and throws if one was not 200.
 */
export function watchNewConnections(
  { address }: Pick<RunningServer, 'address'>,
  interval = 100,
): Pick<HealthWatch, 'stop'> {
  const checks: Promise<number>[] = [];
  const timer = setInterval(() => {
    for (const path of ['/health/live', '/health/ready']) {
      const check = askOnNewConnection(`${address}/api${path}`);
      check.catch(() => undefined);
      checks.push(check);
    }
  }, interval);
  return {
    async stop() {
      clearInterval(timer);
      const times = await Promise.all(checks);
      return { slowest: Math.round(Math.max(...times)), checkCount: times.length };
    },
  };
}

/** Milliseconds from the connection to the end of the answer. */
function askOnNewConnection(url: string): Promise<number> {
  const startTime = performance.now();
  return new Promise((resolve, fail) => {
    get(url, { agent: false }, (answer) => {
      if (answer.statusCode !== 200) fail(new Error(`${url} answers ${answer.statusCode}`));
      answer.resume().once('end', () => resolve(performance.now() - startTime));
    }).once('error', fail);
  });
}
