// @module-tag slow
import { describe, expect, inject, test } from 'vitest';
import { prepareData } from '../../../src/server/accounts/first-start';
import { readSettings } from '../../../src/server/settings/settings';
import { startProgram } from './session/program';

const admin = { ADMIN_EMAIL: 'root@example.test', ADMIN_PASSWORD: 'Root@2026' };

/** Starts where nobody has an account on a first environment, then again on the same data with a second one. */
async function restart(first: Record<string, string>, second: Record<string, string>) {
  const started = await startProgram(first, inject('bare'));
  const users = () =>
    started.test.database.kysely.selectFrom('users').select(['email', 'role_id', 'site_id']).orderBy('id').execute();
  try {
    const before = await users();
    const settings = readSettings({ DATABASE_URL: started.test.url, ...second });
    const failure = await prepareData({ ...started.program, settings }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return { before, after: await users(), failure };
  } finally {
    await started.close();
  }
}

describe('the first start', () => {
  test('creates the administrator from the settings, once', async () => {
    const { before, after } = await restart(
      { DEMO: '0', ...admin },
      { DEMO: '0', ...admin, ADMIN_EMAIL: 'other@example.test' },
    );
    expect(before).toEqual([{ email: 'root@example.test', role_id: 1, site_id: null }]);
    expect(after).toEqual(before);
  });

  test('the administrator signs in', async () => {
    const started = await startProgram({ DEMO: '0', ...admin });
    const { body } = await started.call('POST', '/login', {
      body: { email: 'root@example.test', password: 'Root@2026' },
    });
    await started.close();
    expect([body.status, body.role.level]).toEqual([true, 1]);
  });

  test('loads demo data instead, if enabled', async () => {
    const { before } = await restart({ DEMO: '1', ...admin }, { DEMO: '1' });
    expect(before.map(({ email }) => email)).toContain('admin@demo.test');
    expect(before.map(({ email }) => email)).not.toContain('root@example.test');
  });

  test('loads no demo data if there are users', async () => {
    const { after } = await restart({ DEMO: '0', ...admin }, { DEMO: '1' });
    expect(after).toHaveLength(1);
  });

  test('in production demo accounts are refused in one line', async () => {
    const { failure } = await restart({ DEMO: '1' }, { NODE_ENV: 'production' });
    expect(failure).toMatch(/^The data contains demo accounts .*DEMO=1\.$/);
  });

  test('demo accounts are accepted in production if the setting requests them', async () => {
    const { failure } = await restart({ DEMO: '1' }, { NODE_ENV: 'production', DEMO: '1' });
    expect(failure).toBeUndefined();
  });

  test('in production nothing is loaded by default', async () => {
    const { before, failure } = await restart({ NODE_ENV: 'production' }, { NODE_ENV: 'production' });
    expect([before, failure]).toEqual([[], undefined]);
  });
});
