import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../../../src/engine/language/source';
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
  test('is read by its user', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, email: 'qa@demo.test', role_id: 5, site_id: 1, status: 'Active' });
    expect(Object.keys(body.data)).not.toContain('password');
  });

  test('of another user is not found, not even by an administrator', async () => {
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
    [
      { change_password: true, current_password: 'Demo@1234', new_password: 'weak', confirm_password: 'weak' },
      ['new_password'],
    ],
    [
      {
        change_password: true,
        current_password: 'Wrong@1234',
        new_password: 'Strong@123',
        confirm_password: 'Strong@123',
      },
      ['current_password'],
    ],
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

describe('the definition of users', () => {
  const nameOf = async () => (await get()).body.data.first_name;
  /** Publishes another definition of users for the time of a test. */
  const withUsers = async (change: (source: Source) => void, run: () => Promise<void>) => {
    const admin = await started.signIn('admin');
    const read = async () => (await started.call('GET', '/modules/users', { token: admin })).body.data;
    const put = async (definition: Source) => {
      const { version } = await read();
      const { status, body } = await started.call('PUT', '/modules/users', {
        token: admin,
        body: { definition, version, confirm: true },
      });
      expect([status, body.message]).toEqual([200, undefined]);
    };
    const { definition } = await read();
    const changed = structuredClone(definition) as Source;
    change(changed);
    await put(changed);
    await run();
    await put(definition);
  };

  test('holds for a profile too: required, patterns, read-only fields', async () => {
    token = (await started.call('POST', '/login', { body: { email: 'qa@demo.test', password: 'Strong@123' } })).body
      .token;
    expect((await put({ first_name: 'Quinn', phone_number: '+49 30 1' })).status).toBe(200);
    await withUsers(
      ({ fields }) => {
        fields.phone_number!.required = true;
        fields.last_name!.pattern = '^[A-Z]';
        fields.last_name!.patternMessage = 'Last Name must begin with a capital.';
        fields.first_name!.readOnly = { level: { $ne: 1 } };
        fields.level = { type: 'number', default: 2 };
      },
      async () => {
        expect(await put({ phone_number: null, last_name: 'small' })).toMatchObject({
          status: 422,
          body: {
            errors: { phone_number: 'Phone Number is required.', last_name: 'Last Name must begin with a capital.' },
          },
        });
        const { status, body } = await put({ first_name: 'Ignored', phone_number: '+49 30 2' });
        expect([status, body.data.first_name, body.data.phone_number]).toEqual([200, 'Quinn', '+49 30 2']);
      },
    );
  });

  test('runs its hooks and writes history and live events without a grant on users', async () => {
    const events: unknown[] = [];
    const stop = started.program.live.subscribe((event) => void events.push(event));
    expect((await put({ first_name: 'Quentin' })).status).toBe(200);
    stop();
    expect(await nameOf()).toBe('Quentin');
    expect(events).toContainEqual(expect.objectContaining({ resource: 'users', id, event: 'updated' }));
    const admin = await started.signIn('admin');
    const history = await started.call('GET', `/users/${id}/history?range=[0,0]`, { token: admin });
    expect(JSON.stringify(history.body.data[0])).toContain('Quentin');
    const log = await started.call('GET', '/security-log?range=[0,4]', { token: admin });
    expect(JSON.stringify(log.body)).toContain('First Name');
  });
});
