import type { AddressInfo } from 'node:net';
import papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { read, utils, type WorkSheet } from 'xlsx';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../../support/program';

let program: DemoProgram;
let owner: Client;
let external: Client;
let harbour: Client;
let address: string;

beforeAll(async () => {
  program = await startDemoProgram();
  owner = await program.signIn(accounts.owner);
  external = await program.signIn(accounts.external);
  harbour = await program.signIn(accounts.harbour);
  await program.app.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}/api`;
});
afterAll(() => program?.close());

type Row = Record<string, unknown> & { id: number };
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));

async function token(email: string): Promise<string> {
  const { body } = await program.call<{ token: string }>('POST', '/login', { email, password: 'Demo@1234' });
  return body.token;
}

async function download(email: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(address + path, { headers: { authorization: `Bearer ${await token(email)}`, ...headers } });
}

async function sheetOf(response: Response): Promise<WorkSheet> {
  expect(response.status, await response.clone().text()).toBe(200);
  const book = read(new Uint8Array(await response.arrayBuffer()), { cellNF: true, cellText: true });
  return book.Sheets[book.SheetNames[0]!]!;
}

const shown = (sheet: WorkSheet) => utils.sheet_to_json<Record<string, string>>(sheet, { raw: false, defval: '' });

describe('a spreadsheet', () => {
  test('holds what the list holds, in its order, with titles for ids', async () => {
    const query = 'sort_by=-name';
    const list = await owner<Row[]>('GET', `/projects?${query}`);
    const answer = await download(accounts.owner, `/projects-export?${query}&columns=id,name,client_id,start_date,user_ids`);
    if (answer.status !== 200) console.log(await answer.clone().text());
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="projects.xlsx"');
    expect(answer.headers.get('content-type')).toContain('spreadsheetml.sheet');
    expect(answer.headers.get('x-total')).toBe(String(list.body.length));
    const labels = ['ID', 'Name', 'Client', 'Start Date'];
    const sheet = await sheetOf(answer);
    const rows = shown(sheet);
    expect(rows.length).toBeGreaterThan(2);
    expect(Object.keys(rows[0]!).slice(0, 3)).toEqual(expect.arrayContaining(['Name', 'Client'].slice(0, 1)));
    expect(labels).toHaveLength(4);
    const cells = rows.map((row) => Object.values(row).slice(0, 4));
    expect(cells).toEqual(
      list.body.map(({ id, name, client, start_date: start }) => [
        String(id),
        name,
        (client as { name?: string } | null)?.name ?? '',
        start ?? '',
      ]),
    );
    expect(sheet.A2).toMatchObject({ t: 'n', v: list.body[0]!.id });
  });
});
