import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from './session/program';

let started: TestProgram;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  started = await startProgram();
  for (const account of ['admin', 'owner', 'manager']) tokens[account] = await started.signIn(account);
});
afterAll(() => started.close());

const call = (method: string, path: string, as: string, body?: unknown) =>
  started.call(method, path, { token: tokens[as], body });

const address = {
  address: 'Elbe 1',
  city: 'Hamburg',
  post_code: '20095',
  state: 'Hamburg',
  country: 'Germany',
  description: 'Films',
};

describe('a company', () => {
  test('is added with everything that its form asks for', async () => {
    const { status, body } = await call('POST', '/sites', 'admin', { name: 'Half', city: ' ' });
    expect(status).toBe(422);
    expect(Object.keys(body.errors).sort()).toEqual(Object.keys(address).sort());
    expect(body.errors.post_code).toBe('Post Code is required.');
  });

  test('is sorted by its description', async () => {
    const sorted = async (by: string) =>
      (await call('GET', `/sites?sort_by=${by}`, 'admin')).body.data.map(({ id }: { id: number }) => id);
    await call('PUT', '/sites/1', 'owner', { description: 'Zebra' });
    await call('PUT', '/sites/2', 'admin', { description: 'Apple' });
    expect([await sorted('description'), await sorted('-description')]).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });

  test('is seen and edited by its owner, and no other is', async () => {
    const { body } = await call('GET', '/sites', 'owner');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Atlas Pictures']);
    expect((await call('PUT', '/sites/1', 'owner', { city: 'Altona' })).body.data.city).toBe('Altona');
    expect((await call('GET', '/sites/2', 'owner')).status).toBe(404);
    expect((await call('PUT', '/sites/2', 'owner', { city: 'Altona' })).status).toBe(404);
    expect((await call('GET', '/sites', 'manager')).status).toBe(403);
    expect((await call('GET', '/sites', 'admin')).body.data).toHaveLength(2);
  });

  test('is neither created nor deleted by an owner', async () => {
    expect((await call('POST', '/sites', 'owner', { name: 'Another' })).status).toBe(403);
    expect((await call('DELETE', '/sites/1', 'owner')).status).toBe(403);
  });

  test('is deleted by level 1 only when it is empty', async () => {
    const { status, body } = await call('DELETE', '/sites/2', 'admin');
    expect(status).toBe(409);
    expect(body.message).toMatch(/used by .*1 film\b.*1 studio\b/);
    const { id } = (await call('POST', '/sites', 'admin', { ...address, name: 'Empty' })).body.data;
    const person = {
      first_name: 'Gone',
      last_name: 'Soon',
      email: 'gone@demo.test',
      role_id: 6,
      status_id: 1,
      site_id: id,
    };
    const user = (await call('POST', '/users', 'admin', person)).body.data;
    expect((await call('DELETE', `/sites/${id}`, 'admin')).body.message).toContain('1 user');
    expect((await call('DELETE', `/users/${user.id}`, 'admin')).status).toBe(200);
    expect((await call('DELETE', `/sites/${id}`, 'admin')).status).toBe(200);
    expect((await call('GET', `/sites/${id}`, 'admin')).status).toBe(404);
  });

  test.each([
    ['Asia/Kathmandu', 200],
    ['Foo/Bar', 422],
    ['Berlin', 422],
  ])('lives by the clock of %s: %i', async (time_zone, expected) => {
    const { status, body } = await call('PUT', '/sites/1', 'owner', { time_zone });
    expect(status).toBe(expected);
    if (status === 422) expect(body.errors.time_zone).toContain('Time Zone must be a name such as Europe/Berlin.');
  });
});
