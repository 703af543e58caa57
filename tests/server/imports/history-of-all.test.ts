import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type DemoProgram } from '../../support/program';
import { resolveReferences } from '../../support/openapi';

let started: DemoProgram;
beforeAll(async () => {
  started = await startFixtureProgram();
  await started.program.database.pool.query(`
    insert into public.imports (site_id, file_name, type, total, imported, failed, state, created_at)
    select 1, name || '.xlsx', name, 1, 1, 0, 'done', now()
    from unnest(array['shots', 'screenings', 'users']) as name`);
});
afterAll(() => started.close());

test.each([
  ['', ['screenings', 'shots', 'users']],
  ['?type=shots', ['shots']],
  ['?type=shots&type=users', ['shots', 'users']],
])('GET imports%s lists what was imported of %j', async (query, types) => {
  const owner = await started.signIn(accounts.owner);
  const { status, body } = await owner<{ data: { type: string }[] }>('GET', `/imports${query}`);
  expect(status).toBe(200);
  expect(body.data.map(({ type }) => type).sort()).toEqual(types);
});

test('the API document says so', async () => {
  const owner = await started.signIn(accounts.owner);
  const { body } = await owner<{ paths: Record<string, object>; components: object }>('GET', '/openapi.json');
  const { get } = resolveReferences<{ get: { parameters: { name: string; description: string }[] } }>(
    body,
    body.paths['/imports'],
  );
  const type = get.parameters.find(({ name }) => name === 'type');
  expect(type!.description).toContain('Without it, the list contains all modules that you can list.');
});
