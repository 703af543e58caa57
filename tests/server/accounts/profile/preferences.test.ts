import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProgram, type TestProgram } from '../session/program';

let started: TestProgram;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  started = await startProgram();
  for (const who of ['owner', 'manager'] as const) tokens[who] = await started.signIn(who);
});
afterAll(() => started.close());

const change = (body: unknown, who = 'owner') => started.call('PATCH', '/preferences', { token: tokens[who]!, body });
const ofMe = async (who = 'owner') => (await started.call('GET', '/me', { token: tokens[who]! })).body.data.preferences;
const usual = { formats: null, week_start: null, density: null };

describe('preferences', () => {
  test('are as usual at first, then as chosen, for the caller alone; what is not sent stays', async () => {
    expect(await ofMe()).toEqual(usual);
    expect((await change({ formats: 'de-DE' })).body).toEqual({ data: { ...usual, formats: 'de-DE' } });
    expect((await change({ density: 'compact', week_start: 0 })).status).toBe(200);
    const chosen = { formats: 'de-DE', week_start: 0, density: 'compact' };
    expect((await change({})).body).toEqual({ data: chosen });
    expect(await ofMe()).toEqual(chosen);
    expect(await ofMe('manager')).toEqual(usual);
    expect((await change({ formats: null })).body.data).toEqual({ ...chosen, formats: null });
  });

  test.each([
    [{ formats: 'xx-XX' }, 'formats'],
    [{ formats: 7 }, 'formats'],
    [{ week_start: 9 }, 'week_start'],
    [{ density: 'tiny' }, 'density'],
    [{ user_id: 1 }, 'user_id'],
    [{ colour: 'red' }, 'colour'],
  ])('%j is refused and changes nothing', async (body, at) => {
    const before = await ofMe('manager');
    const refused = await change({ density: 'compact', ...body }, 'manager');
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors)).toEqual([at]);
    expect(await ofMe('manager')).toEqual(before);
  });

  test('two changes at once are both stored', async () => {
    await Promise.all([change({ formats: 'fr-FR' }, 'manager'), change({ density: 'compact' }, 'manager')]);
    expect(await ofMe('manager')).toEqual({ formats: 'fr-FR', week_start: null, density: 'compact' });
  });

  test('preferences require a sign-in', async () => {
    expect((await started.call('PATCH', '/preferences', { body: {} })).status).toBe(401);
  });

  test('answers are the same in any format', async () => {
    const read = async () => (await started.call('GET', '/studios', { token: tokens.owner! })).body;
    await change({ formats: null });
    const before = await read();
    await change({ formats: 'de-DE' });
    expect(await read()).toEqual(before);
  });
});
