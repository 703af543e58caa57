// @module-tag slow
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDefinitions } from '../../../scripts/check-definitions';
import { startDueAutomations } from '../../../src/server/automation/schedules';
import { readDefinitionFolders, systemFolder } from '../../../src/server/definitions/folder';
import { readProduct } from '../../../src/server/read-product';
import { systemHooks } from '../../../src/server/system-hooks';
import { password } from '../../support/accounts';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';
import { csv, send } from '../imports/files';

// The definitions of docs/guide, as a reader copies them into one product, and what their pages promise over HTTP.

type Row = Record<string, unknown> & { id: number };
interface Refusal {
  readonly message?: string;
  readonly errors?: Record<string, string>;
}

const pages = readdirSync('docs/guide').filter((name) => name !== 'tutorial.md');
const folder = mkdtempSync(join(tmpdir(), 'guide-'));
const filesOf = (page: string) =>
  [...readFileSync(`docs/guide/${page}`, 'utf8').matchAll(/^In `([\w./-]+\.json)`:\n\n```json\n([^]*?)\n```$/gm)].map(
    ([, path, text]) => ({ path: path!, text: text! }),
  );

let program: DemoProgram;
let manager: Client;
let tester: Client;
beforeAll(async () => {
  for (const { path, text } of pages.flatMap(filesOf)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const person = (email: string, role: number, name: string) => ({
    email,
    role_id: role,
    first_name: name,
    last_name: 'Novak',
  });
  writeFileSync(
    join(folder, 'demo.json'),
    JSON.stringify({
      company: { name: 'Lindgren', time_zone: 'Europe/Berlin', city: 'Malmö', country: 'Sweden' },
      accounts: {
        admin: person(accounts.admin, 1, 'Ines'),
        manager: person(accounts.manager, 3, 'Tomas'),
        tester: person(accounts.qa, 5, 'Paul'),
      },
      records: [],
    }),
  );
  program = await startDemoProgram({ product: readProduct(folder) });
  manager = await program.signIn(accounts.manager);
  tester = await program.signIn(accounts.qa);
});
afterAll(async () => {
  await program?.close();
  rmSync(folder, { recursive: true });
});

test('every definition of the guide is accepted by resources:check', () => {
  const folders = { system: systemFolder, product: join(folder, 'resources') };
  expect(checkDefinitions(readDefinitionFolders(folders), folders, Object.keys(systemHooks)).problems).toEqual([]);
});

async function create(call: Client, path: string, values: object): Promise<Row> {
  const { status, body } = await call<Row>('POST', path, values);
  expect([path, status], JSON.stringify(body)).toEqual([path, 201]);
  return body;
}

async function change(call: Client, path: string, values: object = {}, method = 'PUT') {
  const { status, body } = await call<Row & Refusal>(method, path, values);
  return { status, body };
}

/** The promise of each recipe, by its page. */
const promises: Readonly<Record<string, () => Promise<void>>> = {
  'status.md': async () => {
    const { id } = await create(tester, '/tickets', { name: 'Printer' });
    expect((await change(tester, `/tickets/${id}`, { state: 'done', solution: 'Paper' })).status).toBe(422);
    expect((await change(tester, `/tickets-state-progress/${id}`, {}, 'PATCH')).status).toBe(200);
    const open = await change(tester, `/tickets-state-done/${id}`, {}, 'PATCH');
    expect([open.status, Object.keys(open.body.errors ?? {})]).toEqual([422, ['solution']]);
    expect((await change(tester, `/tickets-state-done/${id}`, { solution: 'Paper' }, 'PATCH')).status).toBe(200);
    expect((await change(tester, `/tickets-state-progress-2/${id}`, {}, 'PATCH')).status).toBe(403);
    expect((await change(manager, `/tickets-state-progress-2/${id}`, {}, 'PATCH')).status).toBe(200);
  },
  'author-only.md': async () => {
    const other = await create(manager, '/ideas', { name: 'Plants' });
    const own = await create(tester, '/ideas', { name: 'Lamps' });
    const refused = await change(tester, `/ideas/${other.id}`, { name: 'No' });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringContaining('only ideas that you wrote yourself'),
    ]);
    expect((await change(tester, `/ideas/${own.id}`, { name: 'Lights' })).status).toBe(200);
    expect((await change(manager, `/ideas/${own.id}`, { name: 'Lamps' })).status).toBe(200);
  },
  'snippets.md': async () => {
    const shared = { title: 'Soon', text: '<p>{name} by {due_at}</p>', modules: 'questions', audience: 'everyone' };
    const { id } = await create(manager, '/snippets', shared);
    const personal = await create(manager, '/snippets', { ...shared, title: 'Mine', audience: 'me' });
    const read = async (call: Client) =>
      (await call<Row[]>('GET', '/snippets')).body.map((snippet) => snippet.id).sort((one, other) => one - other);
    expect(await read(manager)).toEqual([id, personal.id]);
    expect(await read(tester)).toEqual([id]);
    expect((await change(tester, `/snippets/${id}`, { title: 'Later' })).status).toBe(403);
    expect((await tester('POST', '/snippets', shared)).status).toBe(403);
  },
  'numbers.md': async () => {
    const web = await create(manager, '/work-projects', { name: 'Web', code: 'WEB' });
    const app = await create(manager, '/work-projects', { name: 'App', code: 'APP' });
    const keys: unknown[] = [];
    for (const work_project_id of [web.id, web.id, app.id])
      keys.push((await create(tester, '/work-orders', { name: 'Order', work_project_id })).key);
    expect(keys).toEqual(['WEB-1', 'WEB-2', 'APP-1']);
    expect((await change(manager, `/work-projects/${web.id}`, { code: 'NET' })).status).toBe(200);
    expect((await manager<Row[]>('GET', '/work-orders?sort_by=id')).body[0]!.key).toBe('WEB-1');
  },
  'public-link.md': async () => {
    const offer = await create(manager, '/offers', { name: 'Roof', text: 'New', price: 10, notes: 'Secret' });
    const shared = await program.call<object>('POST', '/shared-records', { path: 'offer', link: offer.link });
    expect(shared.status).toBe(200);
    expect(JSON.stringify(shared.body)).toMatch(/Roof.*New/s);
    expect(JSON.stringify(shared.body)).not.toContain('Secret');
  },
  'approval.md': async () => {
    const { id } = await create(tester, '/expenses', { name: 'Train', amount: 80 });
    expect((await change(tester, `/expenses-approve/${id}`, {}, 'PATCH')).status).toBe(403);
    expect((await change(manager, `/expenses-refuse/${id}`, {}, 'PATCH')).status).toBe(422);
    expect((await change(manager, `/expenses-approve/${id}`, {}, 'PATCH')).status).toBe(200);
    const me = (await manager<{ data: { user: Row } }>('GET', '/me')).body;
    const { body } = await manager<Row>('GET', `/expenses/${id}`);
    expect(body).toMatchObject({ state: 'approved', settled_at: expect.any(String) });
    expect(JSON.stringify(me)).toContain(`"id":${body.settled_by as number}`);
    expect((await change(manager, `/expenses-refuse/${id}`, { reason: 'No' }, 'PATCH')).status).toBeGreaterThan(399);
    expect((await change(tester, `/expenses/${id}`, { amount: 8 })).status).toBe(403);
  },
  'reminders.md': async () => {
    const look = (at: string) => startDueAutomations(program.program, new Date(at));
    await look('2030-03-10T12:00:00Z');
    const due = await create(manager, '/contracts', { name: 'Lift', renew_on: '2030-03-14' });
    await create(manager, '/contracts', { name: 'Heating', renew_on: '2030-03-15' });
    const reminded = async (automation = 'remind') =>
      (
        await program.program.database.pool.query<{ record_id: string }>(
          `select record_id from assay.automation_runs where automation = $1 order by id`,
          [automation],
        )
      ).rows.map(({ record_id }) => Number(record_id));
    await look('2030-03-11T06:59:00Z');
    expect(await reminded()).toEqual([]);
    await look('2030-03-11T07:00:00Z');
    await look('2030-03-11T09:00:00Z');
    expect(await reminded()).toEqual([due.id]);

    const [moved, cancelled, early] = [
      await create(manager, '/appointments', { name: 'Visit', starts_at: '2030-03-11T12:00:00Z' }),
      await create(manager, '/appointments', { name: 'Call', starts_at: '2030-03-11T12:00:00Z' }),
      await create(manager, '/appointments', { name: 'Walk', starts_at: '2030-03-11T11:30:00Z' }),
    ];
    await change(manager, `/appointments/${cancelled.id}`, { is_cancelled: true });
    await change(manager, `/appointments/${moved.id}`, { starts_at: '2030-03-11T13:00:00Z' });
    const expected = [
      ['10:29', []],
      ['10:30', [early.id]],
      ['11:59', [early.id]],
      ['12:00', [early.id, moved.id]],
      ['12:30', [early.id, moved.id]],
    ] as const;
    for (const [time, ids] of expected) {
      await look(`2030-03-11T${time}:00Z`);
      expect([time, await reminded('soon')]).toEqual([time, ids]);
    }
  },
  'import-updates.md': async () => {
    const { id } = await create(manager, '/articles', { code: 'A1', name: 'Bolt', price: 1 });
    const { body } = await program.call<{ token: string }>('POST', '/login', { email: accounts.manager, password });
    const rows = csv([
      ['SKU', 'Name', 'Net price'],
      ['A1', 'Bolt', '1.20'],
      ['A2', 'Nut', '0.30'],
    ]);
    const imported = await send(program, body.token, '/articles/import', rows, {}, 'prices.csv');
    expect([imported.status, imported.body.imported], JSON.stringify(imported.body)).toEqual([200, 2]);
    const { body: articles } = await manager<Row[]>('GET', '/articles?sort_by=code');
    expect(articles.map(({ code, price }) => [code, price])).toEqual([
      ['A1', 1.2],
      ['A2', 0.3],
    ]);
    expect(articles[0]!.id).toBe(id);
  },
  'two-roles.md': async () => {
    const { id } = await create(manager, '/visits', { name: 'Roof', price: 90 });
    const { body } = await tester<Row>('GET', `/visits/${id}`);
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['name', 'report']));
    expect(Object.keys(body)).not.toContain('price');
    expect((await change(tester, `/visits/${id}`, { report: 'Done' })).status).toBe(200);
    await change(tester, `/visits/${id}`, { price: 1 });
    expect((await manager<Row>('GET', `/visits/${id}`)).body).toMatchObject({ price: 90, report: 'Done' });
  },
};

describe('recipes of the guide do what they say', () => {
  test('each page that is no concept has a test here', () => {
    const concepts = ['resources', 'access', 'conditions', 'expressions', 'automations', 'publishing'];
    const recipes = pages.filter((name) => !concepts.includes(name.replace('.md', '')));
    expect(recipes.sort()).toEqual(Object.keys(promises).sort());
  });

  test.each(Object.entries(promises))('%s', async (_page, run) => {
    await run();
  });
});
