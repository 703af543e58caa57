import type { ResilienceStep } from '../step';
import { demoPassword } from '../../../src/product/demo/accounts';
import { callServer, pause, signIn, startServer, type ServerClient, type RunningServer } from '../server';

interface Job {
  readonly state: string;
  readonly done: number;
  readonly message: string | null;
}

/** Kills the program again and again while it imports: every row is stored once, and the job ends as done. */
export const imports: ResilienceStep = {
  title: 'kill -9 in the middle of an import',
  minutes: 4,
  async run(context) {
    const [rounds, rows] = context.quick ? [2, 1_200] : [10, 4_000];
    let server = await startServer(context);
    let owner = await signIn(server.address);
    const project = (await owner<{ id: number }[]>('GET', '/projects')).body[0]!.id;
    const job = await startImport(server, project, rows);
    let kills = 0;
    for (let rowsBefore = 0; kills < rounds; kills++) {
      const { state, done: doneRows } = await furtherThan(owner, job, rowsBefore);
      if (state === 'done') break;
      rowsBefore = doneRows;
      await server.kill();
      server = await startServer(context, { dataDir: server.dataDir });
      owner = await signIn(server.address);
    }
    const { state, message } = await furtherThan(owner, job, rows);
    if (state !== 'done') throw new Error(`the import is ${state}: ${message}`);
    const storedNames: string[] = [];
    for (let offset = 0; offset < rows * 2; offset += 1000) {
      const page = await owner<{ data: { name: string }[] }>(
        'GET',
        `/test-cases?q=killed-&range=[${offset},${offset + 999}]`,
      );
      storedNames.push(...page.body.data.map(({ name }) => name));
      if (page.body.data.length < 1000) break;
    }
    const different = new Set(storedNames).size;
    if (storedNames.length !== rows || different !== rows)
      throw new Error(`${storedNames.length} stored, ${different} different, of ${rows}`);
    return `${kills} kills in one import of ${rows} rows: ${storedNames.length} stored, 0 lost, 0 doubled`;
  },
};

async function startImport({ address }: RunningServer, project: number, rows: number): Promise<number> {
  const { body } = await callServer<{ token: string }>(address, 'POST', '/login', {
    email: 'owner@demo.test',
    password: demoPassword,
  });
  const form = new FormData();
  const lines = Array.from({ length: rows }, (_, index) => `killed-${index}`);
  form.append('project_id', String(project));
  form.append('import_file', new Blob([['Title', ...lines].join('\n')]), 'killed.csv');
  const headers = { authorization: `Bearer ${body.token}`, accept: 'application/json; jobs=1' };
  const answer = await fetch(`${address}/api/test-cases/import`, { method: 'POST', headers, body: form });
  const { data } = (await answer.json()) as { data: { job: number } };
  return data.job;
}

/** Waits until a job has got further than so many rows, or has ended. */
async function furtherThan(owner: ServerClient, id: number, rowCount: number): Promise<Job> {
  for (const limit = Date.now() + 120_000; Date.now() < limit; await pause(20)) {
    const { status, body } = await owner<{ data: Job }>('GET', `/jobs/${id}`);
    if (status !== 200) continue;
    const { state, done: doneRows } = body.data;
    if (doneRows > rowCount || !['waiting', 'running'].includes(state)) return body.data;
  }
  throw new Error('the import gets no further');
}
