import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from '../session/program';

let started: TestProgram;
let token: string;
let id: number;
beforeAll(async () => {
  started = await startProgram();
  token = await started.signIn('qa');
  id = (await started.call('GET', '/me', { token })).body.data.user.id;
});
afterAll(() => started.close());

const get = (path = `/profile/${id}`, as = token) => started.call('GET', path, { token: as });
const put = (body: unknown, as = token) => started.call('PUT', `/profile/${id}`, { token: as, body });

describe('a profile', () => {
  test('is read by whose it is', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, email: 'qa@demo.test', role_id: 5, site_id: 1, status: 'Active' });
    expect(Object.keys(body.data)).not.toContain('password');
  });

  test('of somebody else is not found, for an administrator either', async () => {
    const admin = await started.signIn('admin');
    expect((await get(`/profile/${id}`, admin)).status).toBe(404);
    expect((await put({ first_name: 'X' }, admin)).status).toBe(404);
    expect((await get('/profile/0')).status).toBe(404);
    expect((await started.call('GET', `/profile/${id}`)).status).toBe(401);
  });

  test('changes names and telephone, and neither address nor role', async () => {
    const sent = { ...(await get()).body.data, isProfile: 1, last_name: 'Newname', phone_number: '+49 30 1234' };
    const { status, body } = await put({ ...sent, email: 'other@demo.test', role_id: 1, status_id: 2 });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      last_name: 'Newname',
      phone_number: '+49 30 1234',
      email: 'qa@demo.test',
      role_id: 5,
    });
    expect((await get()).body.data).toEqual(body.data);
    expect((await started.call('GET', '/me', { token })).body.data.user.name).toMatch(/ Newname$/);
    expect((await put({ ...sent, last_name: 'Stale' })).status).toBe(409);
  });

  test.each([
    [{ first_name: ' ' }, ['first_name']],
    [{ phone_number: '1'.repeat(16) }, ['phone_number']],
    [{ site: 1, shoe_size: 42 }, ['shoe_size']],
    [{ change_password: true }, ['confirm_password', 'current_password', 'new_password']],
    [{ change_password: true, current_password: 'Demo@1234', new_password: 'weak', confirm_password: 'weak' }, ['new_password']], // prettier-ignore
    [{ change_password: true, current_password: 'Wrong@1234', new_password: 'Strong@123', confirm_password: 'Strong@123' }, ['current_password']], // prettier-ignore
    [
      {
        change_password: true,
        current_password: 'Demo@1234',
        new_password: 'qa@demo.test',
        confirm_password: 'qa@demo.test',
      },
      ['new_password'],
    ],
    [
      {
        change_password: true,
        current_password: 'Demo@1234',
        new_password: 'Strong@123',
        confirm_password: 'Strong@124',
      },
      ['confirm_password'],
    ],
  ])('with %j is refused', async (sent, fields) => {
    const { status, body } = await put(sent);
    expect([status, Object.keys(body.errors).sort()]).toEqual([422, fields]);
  });

  test('keeps its password while the switch is off', async () => {
    const sent = { change_password: false, new_password: 'Strong@123', confirm_password: 'x' };
    expect((await put(sent)).status).toBe(200);
    await started.signIn('qa');
  });

  test('with a new password ends all other sign-ins, and tells the owner', async () => {
    const other = await started.signIn('qa');
    const sent = {
      change_password: 1,
      current_password: 'Demo@1234',
      new_password: 'Strong@123',
      confirm_password: 'Strong@123',
    };
    expect((await put(sent)).status).toBe(200);
    expect((await get()).status).toBe(200);
    expect((await get(`/profile/${id}`, other)).status).toBe(401);
    await expect(started.signIn('qa')).rejects.toThrow();
    const mails = started.program.database.kysely.withSchema('assay').selectFrom('mails').select(['occasion', 'about']);
    expect(await mails.execute()).toEqual([{ occasion: 'password_changed', about: { user_id: id } }]);
    const body = { email: 'qa@demo.test', password: 'Strong@123' };
    expect((await started.call('POST', '/login', { body })).body.status).toBe(true);
  });
});
