// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRegistry } from '../../../src/engine/registry/registry';
import { fixtureDefinitions } from '../../support/definitions';
import { accounts, startFixtureProgram } from '../../support/program';
import { createServiceAccount } from '../../support/service-account';
import {
  firstOf,
  ownersResources,
  sendAs,
  serverFaults,
  writeRecords,
  type Writer,
} from '../../support/service-writes';
import { studioOf } from '../modules/studio';

// Everything that a service account changes, and who it says did it.

type Row = Record<string, unknown> & { id: number };

const registry = createRegistry(fixtureDefinitions());
const definitions = ownersResources(registry);
let writer: Writer;

beforeAll(async () => {
  const program = await startFixtureProgram();
  const owner = await program.signIn(accounts.owner);
  writer = { program, registry, owner, account: await createServiceAccount(program, owner) };
});
afterAll(() => writer?.program.close());

test.each(definitions.map((definition) => [definition.name, definition] as const))(
  '%s are written by a service account, and their history names it',
  async (_name, definition) => {
    await writeRecords(writer, definition);
  },
);

test('every declared call answers a service account without a fault of the server', async () => {
  expect(await serverFaults(writer, ['shots', 'studios'])).toEqual([]);
});

describe('in the name of the account stand', () => {
  test('its comments', async () => {
    const { program, account, owner } = writer;
    const admin = await program.signIn(accounts.admin);
    await studioOf(admin).make('memos', { name: {} }, { comments: true, grants: { '2': 'all' } });
    const memo = await sendAs(writer, 'POST', '/memos', { name: 'A memo' });
    const path = `/memos/${memo.id}/comments`;
    const { data: comment } = await sendAs<{ data: Row }>(writer, 'POST', path, { text: 'By a script' });
    expect(comment).toMatchObject({ user: { name: account.name } });
    await sendAs(writer, 'PUT', `${path}/${comment.id}`, { text: 'Changed by a script' });
    await sendAs(writer, 'DELETE', `${path}/${comment.id}`);
    await sendAs(writer, 'PATCH', `${path}/${comment.id}/restore`);
    const listed = await owner<{ data: Row[] }>('GET', path);
    expect(listed.body.data).toMatchObject([{ id: comment.id, user: { name: account.name } }]);
  });

  test('what its requests add, and its share links', async () => {
    const { account, owner } = writer;
    const [shots, screenings] = [registry.getOrThrow('shots'), registry.getOrThrow('screenings')];
    const shot = await firstOf(writer, shots);
    const { path } = shots.requests.comment!;
    const asked = { status_id: shot.status_id, comments: 'Noted by a script' };
    await sendAs(writer, 'PATCH', `/${path.replace('{id}', String(shot.id))}`, asked);
    const notes = await owner('GET', `/shot-notes?shot_id=${shot.id}&sort_by=-id`);
    expect(JSON.stringify(notes.body)).toContain('Noted by a script');
    const history = await owner<{ data: Row[] }>('GET', `/shots/${shot.id}/history`);
    expect(JSON.stringify(history.body.data[0])).toContain(account.name);
    const screening = await firstOf(writer, screenings);
    await sendAs(writer, 'POST', `/screenings/${screening.id}/share`);
    await sendAs(writer, 'DELETE', `/screenings/${screening.id}/share`);
  });
});
