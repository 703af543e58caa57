import type { ResilienceStep } from '../step';
import { demoPassword } from '../../../src/product/demo/accounts';
import { callServer, pause, signIn, startServer, type ServerClient, type RunningServer } from '../server';

interface Overview {
  readonly total: number;
  readonly loading: readonly { readonly part: string; readonly stored: number; readonly tests: number }[];
}

/** Uploads many results: others wait for no more than a batch, and a server that is killed in between leaves no half of a part. */
export const results: ResilienceStep = {
  title: 'a large upload of results beside other calls, and kill -9 in the middle of one',
  minutes: 6,
  async run(context) {
    const count = context.quick ? 3_000 : 20_000;
    let server = await startServer(context);
    let owner = await signIn(server.address);
    const project = (await owner<{ id: number }[]>('GET', '/projects')).body[0]!.id;
    const token = await tokenOf(server);
    const longest = { overview: 0, part: 0, run: 0 };
    const time = async (name: keyof typeof longest, call: () => Promise<unknown>) => {
      const startTime = performance.now();
      await call();
      longest[name] = Math.max(longest[name], performance.now() - startTime);
    };

    const uploadStart = performance.now();
    let isStored = false;
    const large = upload(server, token, project, 'linux', report(count)).then((status) => {
      isStored = true;
      return status;
    });
    const run = await loadingRun(owner);
    let parts = 0;
    for (; !isStored; parts++) {
      await time('overview', () => owner('GET', `/test-runs/${run}/overview`));
      await time('part', () => upload(server, token, project, `small ${parts}`, report(50)));
      await time('run', () => owner('POST', '/test-runs', { name: 'By hand', project_id: project }));
    }
    if ((await large) !== 201) throw new Error(`the large part was answered ${await large}`);
    const seconds = ((performance.now() - uploadStart) / 1000).toFixed(1);
    if (longest.overview > 1_000) throw new Error(`the overview took ${Math.round(longest.overview)} ms`);
    const totalBefore = await totalOf(owner, run);
    if (totalBefore !== count + parts * 50)
      throw new Error(`${totalBefore} tests instead of ${count} and ${parts} times 50`);

    const killed = upload(server, token, project, 'killed', report(count)).catch(() => 0);
    await loadingRun(owner);
    await server.kill();
    await killed;
    server = await startServer(context, { dataDir: server.dataDir });
    owner = await signIn(server.address);
    if (await isGateOpen(owner, run)) throw new Error('the gate is open although a part is half stored');
    const newToken = await tokenOf(server);
    let status = 0;
    for (let attempt = 0; status !== 201 && attempt < 5; attempt++)
      status = await upload(server, newToken, project, 'killed', report(count));
    const totalAfter = await totalOf(owner, run);
    if (totalAfter !== totalBefore + count)
      throw new Error(`${totalAfter} tests after the repetition instead of ${totalBefore + count}`);
    if (!(await isGateOpen(owner, run))) throw new Error('the gate is shut although all is stored');
    const durations = Object.entries(longest).map(([name, milliseconds]) => `${name} ${Math.round(milliseconds)} ms`);
    return `${count} tests in ${seconds} s, meanwhile at most ${durations.join(', ')} (${parts} parts of 50); after a kill all ${count} once`;
  },
};

const report = (count: number) =>
  `<testsuite name="Resilience">${Array.from({ length: count }, (_, index) => `<testcase classname="Resilience" name="t${index}" time="0.1"/>`).join('')}</testsuite>`;

async function tokenOf({ address }: RunningServer): Promise<string> {
  const account = { email: 'owner@demo.test', password: demoPassword };
  return (await callServer<{ token: string }>(address, 'POST', '/login', account)).body.token;
}

/** Sends a part of the one run; answers the status. */
async function upload({ address }: RunningServer, token: string, project: number, part: string, content: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ project: String(project), run_key: 'resilience', part }))
    form.append(name, value);
  form.append('file', new Blob([content]), 'junit.xml');
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${address}/api/results`, { method: 'POST', headers, body: form })).status;
}

/** Waits until some tests of a large part are stored; answers the run. */
async function loadingRun(owner: ServerClient): Promise<number> {
  for (const limit = Date.now() + 60_000; Date.now() < limit; await pause(20)) {
    const { body } = await owner<{ data: { id: number }[] }>(
      'GET',
      '/test-runs?source=machines&sort=["id","DESC"]&range=[0,0]',
    );
    const run = body.data[0]?.id;
    if (run === undefined) continue;
    const overview = await owner<{ data: Overview }>('GET', `/test-runs/${run}/overview`);
    if (overview.body.data.loading.some(({ stored: storedCount }) => storedCount > 0)) return run;
  }
  throw new Error('no part is being loaded');
}

const totalOf = async (owner: ServerClient, run: number) =>
  (await owner<{ data: Overview }>('GET', `/test-runs/${run}/overview`)).body.data.total;

const isGateOpen = async (owner: ServerClient, run: number) =>
  (
    await owner<{ data: { ok: boolean } }>(
      'GET',
      `/test-runs/${run}/gate?condition=${encodeURIComponent('{"failed":0}')}`,
    )
  ).body.data.ok;
