import type { ResilienceStep } from '../step';
import { restartInTurns, type Restartable } from '../rolling-restart';
import { callServer, startServer, type RunningServer } from '../server';
import { demoPassword } from '../../../src/product/demo/accounts';
import { startDatabase } from '../database';

/** Two servers on one database behind a balancer are restarted in turns under load: no request fails. */
export const rollingRestart: ResilienceStep = {
  title: 'rolling restart of two servers under load',
  minutes: 5,
  async run(context) {
    const { url } = await startDatabase(context);
    const settings = { DATABASE_URL: url };
    const first = await startServer(context, { env: settings });
    const { body } = await callServer<{ token: string }>(first.address, 'POST', '/login', {
      email: 'owner@demo.test',
      password: demoPassword,
    });
    const codes: (number | null)[] = [];
    let firstServer: RunningServer | undefined = first;
    const start = async (): Promise<Restartable> => {
      const server = firstServer ?? (await startServer(context, { env: settings }));
      firstServer = undefined;
      return {
        port: Number(new URL(server.address).port),
        stop: async () => codes.push(await server.stop()),
      };
    };
    const restarts = context.quick ? 2 : 6;
    const outcome = await restartInTurns({
      restarts,
      connections: 32,
      pause: context.quick ? 500 : 2_000,
      start,
      request: { path: '/api/clients?range=[0,14]', headers: { authorization: `Bearer ${body.token}` } },
    });
    const { answerCount, failures, slowest } = outcome;
    if (failures.length > 0) throw new Error(`${failures.length} of ${answerCount} requests failed: ${failures[0]}`);
    if (codes.some((code) => code !== 0)) throw new Error(`servers ended with ${codes.join(', ')}`);
    return `${restarts} restarts, ${answerCount} requests answered, 0 failed, the slowest in ${slowest} ms`;
  },
};
