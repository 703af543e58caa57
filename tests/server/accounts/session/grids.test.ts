import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from './program';

let started: TestProgram;
let token: string;
beforeAll(async () => {
  started = await startProgram();
  token = await started.signIn('owner');
});
afterAll(() => started.close());

const column = (field: string, visibility = true, filter = true) => ({ field, visibility, filter });
const post = (body: unknown, as = token) => started.call('POST', '/grid-configurations', { token: as, body });
const get = (query: string, as = token) => started.call('GET', `/grid-configurations${query}`, { token: as });

describe('grid-configurations', () => {
  test('are empty at first, then the last choice, for the caller only', async () => {
    expect((await get('?name=studios')).body).toEqual({ data: { name: 'studios', configuration: [] } });
    await post({ name: 'studios', configuration: [column('name'), column('code')] });
    const chosen = { name: 'studios', configuration: [column('name'), column('email', false, false)] };
    const saved = await post(chosen);
    expect([saved.status, saved.body]).toEqual([200, { data: chosen }]);
    expect((await get('?name=studios')).body).toEqual({ data: chosen });
    expect((await get('?name=films')).body.data.configuration).toEqual([]);
    const manager = await started.signIn('manager');
    expect((await get('?name=studios', manager)).body.data.configuration).toEqual([]);
  });

  test.each<[unknown, Record<string, string>]>([
    [{}, { name: 'Name is required.', configuration: 'Configuration is required.' }],
    [
      { name: 'studio', configuration: [column('name')] },
      { name: 'There is no grid named studio. Did you mean studios?' },
    ],
    [{ name: '__proto__x', configuration: [column('name')] }, { name: 'There is no grid named __proto__x.' }],
    [
      { name: 7, configuration: {} },
      { name: 'Name must be text.', configuration: 'Configuration must be a list.' },
    ],
    [
      { name: 'studios', configuration: [column('name', false)] },
      { configuration: 'Please select at least one column.' },
    ],
    [{ name: 'studios', configuration: [] }, { configuration: 'Please select at least one column.' }],
    [
      { name: 'studios', configuration: [column('name', false), column('code')] },
      { configuration: 'Column Name cannot be hidden.' },
    ],
    [
      { name: 'studios', configuration: [column('code'), column('code')] },
      { configuration: 'Column code is listed twice.' },
    ],
    [
      { name: 'studios', configuration: [{ field: 'name' }] },
      { configuration: 'Configuration.0.visibility is required.' },
    ],
    [
      { name: 'studios', configuration: [{ ...column('name'), width: 3 }] },
      { configuration: 'Unknown property Configuration.0.width.' },
    ],
    [
      { name: 'studios', configuration: [{ field: 'na me', visibility: true, filter: true }] },
      { configuration: 'Configuration.0.field contains characters that are not allowed.' },
    ],
    [
      { name: 'studios', configuration: [{ field: 'name', visibility: 1, filter: true }] },
      { configuration: 'Configuration.0.visibility must be true or false.' },
    ],
    [{ name: 'studios', configuration: [column('name')], user_id: 1 }, { user_id: 'Unknown property user_id.' }],
    [
      { name: 'studios', configuration: Array.from({ length: 301 }, (_, i) => column(`f${i}`)) },
      { configuration: 'Configuration must have at most 300 entries.' },
    ],
  ])('%j is refused', async (body, errors) => {
    const answer = await post(body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual(errors);
  });

  test.each([[''], ['?name='], ['?name=nothing'], ['?name=studios&name=films']])('%s: 400', async (query) => {
    expect((await get(query)).status).toBe(400);
  });

  test('require a sign-in', async () => {
    expect((await started.call('GET', '/grid-configurations?name=studios')).status).toBe(401);
    expect((await started.call('POST', '/grid-configurations', { body: {} })).status).toBe(401);
  });
});
