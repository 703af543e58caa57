import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaFaults } from '../support/openapi';
import { accounts, startDemoProgram, type Client, type DemoProgram } from '../support/program';

let program: DemoProgram;
let admin: Client;
beforeAll(async () => {
  program = await startDemoProgram();
  admin = await program.signIn(accounts.admin);
});
afterAll(() => program?.close());

test('the calls of the product are in the API document, beside those of the program', async () => {
  const { paths } = (await admin<{ paths: object }>('GET', '/openapi.json')).body;
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(['/login', '/dashboard', '/timesheet', '/task-analytics', '/sharable-test-case']),
  );
});

test('every schema of a declared call compiles in strict mode', async () => {
  const { describedCalls } = program.app;
  expect(describedCalls.filter(({ path }) => path.endsWith('/sharable-test-case'))).toHaveLength(1);
  expect(await schemaFaults(describedCalls, admin)).toEqual([]);
});

/** What the stock generator makes of a document. */
async function typesOf(query: string) {
  const { paths, ...document } = (await admin<{ paths: Record<string, object> }>('GET', `/openapi.json${query}`)).body;
  const text = astToString(await openapiTS({ ...document, paths } as never, { silent: true }));
  const calls = Object.values(paths).flatMap((path) => Object.keys(path).filter((name) => name !== 'parameters'));
  return { text, lines: text.split('\n').length, calls: calls.length };
}

test('types of all resources are under 6,000 lines, and the client of the documentation compiles with them', async () => {
  const { text, lines } = await typesOf('?paths=generic');
  expect(lines).toBeLessThan(6000);
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  writeFileSync(join(folder, 'api.ts'), text);
  const [, example] = /^```ts\n([^]*?)\n```$/m.exec(readFileSync('docs/scripts.md', 'utf8'))!;
  writeFileSync(join(folder, 'client.ts'), example!);
  const use = (statement: string) => `
    import type { components } from './api';
    import { client } from './client';
    const api = client('http://localhost', '');
    ${statement}
    export {};`;
  const right = `
    const tasks: components['schemas']['Task'][] = await api.list('tasks', { status_id: [1, 2], sort: '["id","ASC"]' });
    const name: string = tasks[0]!.name;
    await api.list('tasks', { status_id: 1, created_by: 7 });
    const [id, since]: [number, string] = [tasks[0]!.id, tasks[0]!.created_at];
    const key: string = (await api.read('test-cases', id)).key + since;
    await api.change('test-cases', id, { updated_at: (await api.read('test-cases', id)).updated_at, name: key });
    const where: components['schemas']['Condition'] = { $or: [{ 'project_id.name': name }, { id: { $gt: 7 } }] };
    await api.list('test-cases', { where: JSON.stringify(where) });
    await api.change('tasks', 7, { name: 'Renamed' });
    const input: components['schemas']['PriorityInput'] = { option_name: 'High' };
    await api.create('priorities', input);`;
  writeFileSync(join(folder, 'right.ts'), use(right));
  const wrong = [
    "await api.list('nothings');",
    "await api.list('tasks', { status_id: ['open'] });",
    "await api.list('tasks', { colour: 'red' });",
    "await api.change('tasks', 7, { name: 7 });",
    "(await api.read('tasks', 7)).colour;",
    "await api.list('tasks', { status_id: true });",
    "const due: string = (await api.read('tasks', 7)).end_date;",
  ];
  wrong.forEach((statement, index) => writeFileSync(join(folder, `wrong${index}.ts`), use(statement)));
  const files = ['right', ...wrong.map((_, index) => `wrong${index}`)].map((file) => join(folder, `${file}.ts`));
  const compiled = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  const faults = ts.getPreEmitDiagnostics(compiled).map(({ file, messageText }) => ({
    file: file?.fileName.slice(folder.length + 1),
    message: ts.flattenDiagnosticMessageText(messageText, ' '),
  }));
  rmSync(folder, { recursive: true });
  const faulty = new Set(faults.map(({ file }) => file));
  expect(faults.filter(({ file }) => !file?.startsWith('wrong'))).toEqual([]);
  expect([...faulty].sort()).toEqual(wrong.map((_, index) => `wrong${index}.ts`));
});

test('types of the whole document have no part twice that they could share', async () => {
  const whole = await typesOf('');
  expect(whole.calls).toBeGreaterThan(500);
  expect(whole.lines / whole.calls).toBeLessThan(52);
});

test('documents with generic paths have no call of a resource that the caller may not use', async () => {
  const owner = await program.signIn(accounts.developer);
  const { paths } = (
    await owner<{ paths: Record<string, Record<string, { parameters: { $ref: string }[] }>> }>(
      'GET',
      '/openapi.json?paths=generic',
    )
  ).body;
  const { paths: own } = (await owner<{ paths: Record<string, object> }>('GET', '/openapi.json')).body;
  const { components } = (
    await owner<{ components: { parameters: Record<string, { schema: { enum: string[] } }> } }>(
      'GET',
      '/openapi.json?paths=generic',
    )
  ).body;
  const named = paths['/{resource}/{id}']!.delete!.parameters.map(({ $ref }) => $ref.split('/').at(-1)!).find((name) =>
    name.startsWith('resource'),
  )!;
  const deletable = Object.entries(own).flatMap(([path, methods]) =>
    /^\/[\w-]+\/\{id\}$/.test(path) && 'delete' in methods ? [path.split('/')[1]!] : [],
  );
  const generic = components.parameters[named]!.schema.enum;
  expect(generic.filter((name) => !deletable.includes(name))).toEqual([]);
  expect(generic.length).toBeGreaterThan(0);
});
