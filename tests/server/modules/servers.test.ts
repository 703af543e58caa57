// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { sourceOf } from '../../support/definitions';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Refusal } from './studio';

let database: TestDatabase;
let first: DemoProgram;
let second: DemoProgram;
let admin: Client;
let other: Client;
let owner: Client;

// Two servers on one database; the administrators sit at different ones.
beforeAll(async () => {
  database = await createTestDatabase();
  first = await startFixtureProgram({ database });
  second = await startFixtureProgram({ database });
  admin = await first.signIn(accounts.admin);
  other = await second.signIn(accounts.admin);
  owner = await second.signIn(accounts.owner);
});
afterAll(async () => {
  await second?.close();
  await first?.close();
  await database?.close();
});

/** Until a server has other definitions in force. */
function change({ program }: DemoProgram): Promise<void> {
  return new Promise((done) => {
    const stop = program.definitions.onChange(() => {
      stop();
      done();
    });
  });
}

describe('two servers on one database', () => {
  test('started on the same files they create one version of each', async () => {
    for (const { version } of await studioOf(admin).modules()) expect(version).toBe(1);
  });

  test('what one publishes is active on the other: a new module, a changed one, a retired one', async () => {
    let heard = change(second);
    await studioOf(admin).make('books');
    await heard;
    expect((await owner('POST', '/books', { name: 'Emma' })).status).toBe(201);

    heard = change(second);
    await studioOf(admin).publish('books', ({ fields }) => void (fields.pages = { type: 'number' }));
    await heard;
    expect(await studioOf(other).module('books')).toMatchObject({ version: 2, definition: { fields: { pages: {} } } });
    const made = await owner<{ id: number }>('POST', '/books', { name: 'Persuasion', pages: 249 });
    expect(made).toMatchObject({ status: 201, body: { pages: 249 } });

    heard = change(first);
    await studioOf(other).publish('books', ({ fields }) => void delete fields.pages);
    await heard;
    const read = await admin('GET', `/books/${made.body.id}`);
    expect(read.body).not.toHaveProperty('pages');

    heard = change(second);
    await studioOf(admin).remove('books');
    await heard;
    expect((await owner('GET', '/books')).status).toBe(404);
  });

  test('each notifies its own browsers of a publication, once, when it is active there', async () => {
    const told = [first, second].map(({ program }) => {
      const events: LiveEvent[] = [];
      program.live.subscribe((event) => events.push(event));
      return events;
    });
    const heard = change(second);
    await studioOf(admin).publish('territories', (source) => void (source.description = 'Told once.'));
    await heard;
    // What one tells the other now comes after everything that it told before.
    for (const [id, { program }] of [second, first].entries()) {
      const last: LiveEvent = { resource: 'last', id, event: 'updated' };
      program.live.publish(last);
      await vi.waitFor(() => expect(told[id]).toContainEqual(last));
    }
    for (const events of told) {
      expect(events.filter(({ resource }) => resource === 'modules')).toEqual([
        { resource: 'modules', id: 'territories', event: 'changed' },
      ]);
    }
  });

  test('prepared statements survive a change of their table on both', async () => {
    const lists = () => Promise.all(Array.from({ length: 8 }, () => owner('GET', '/studios?sort=["name","ASC"]')));
    for (let round = 0; round < 3; round++) await lists();
    const heard = change(second);
    await studioOf(admin).publish('studios', ({ fields }) => void (fields.motto = {}));
    await heard;
    for (const { status, body } of await lists()) {
      expect(status).toBe(200);
      expect((body as object[])[0]).toHaveProperty('motto');
    }
  });

  test('publishing before the notification arrives uses the stored state: no change of the other is lost', async () => {
    const [a, b] = await Promise.all([
      studioOf(admin).publish('urgencies', ({ fields }) => void (fields.one = {})),
      studioOf(other).publish('screening-status', ({ fields }) => void (fields.two = {})),
    ]);
    expect([a.version, b.version]).toEqual([2, 2]);
    for (const call of [admin, other]) {
      expect((await studioOf(call).module('urgencies')).definition.fields).toHaveProperty('one');
      expect((await studioOf(call).module('screening-status')).definition.fields).toHaveProperty('two');
    }
  });

  test('a reference to a module that another server has just created works', async () => {
    const heard = change(second);
    await studioOf(admin).make('shelves');
    const made = await studioOf(other).make('items', { name: {}, shelf_id: { type: 'relation', to: 'shelves' } });
    expect(made.version).toBe(1);
    await heard;
    expect(await studioOf(admin).remove('shelves')).toMatchObject({ status: 409 });
  });
});

describe('two administrators on one definition', () => {
  test('the second learns who published what, and nothing is overwritten', async () => {
    const [mine, theirs] = [studioOf(admin), studioOf(other)];
    const { definition, version } = await theirs.module('verdicts');
    await mine.publish('verdicts', ({ fields }) => void (fields.mine = {}));
    const draft = { ...definition, fields: { ...definition.fields, theirs: {} } };
    const refused = await other<Refusal>('PUT', '/modules/verdicts', { definition: draft, version });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message: expect.stringMatching(
          /^Amara Okafor published another version \(version 2\) on .+\. Your draft is based on version 1\./,
        ),
      },
    });
    expect((await theirs.module('verdicts')).definition.fields).not.toHaveProperty('theirs');
    await theirs.publish('verdicts', ({ fields }) => void (fields.theirs = {}));
    expect(Object.keys((await mine.module('verdicts')).definition.fields)).toEqual(
      expect.arrayContaining(['mine', 'theirs']),
    );
  });

  test('of many who publish the same version at once, one succeeds', async () => {
    const { definition, version } = await studioOf(admin).module('reels');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        const draft = { ...definition, fields: { ...definition.fields, [`extra_${index}`]: {} } };
        return (index % 2 ? admin : other)('PUT', '/modules/reels', { definition: draft, version });
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const stored = await studioOf(admin).module('reels');
    expect(stored.version).toBe(version + 1);
    expect(Object.keys(stored.definition.fields).filter((name) => name.startsWith('extra_'))).toHaveLength(1);
    expect(await studioOf(admin).versions('reels')).toHaveLength(2);
  });

  test('of two who create a module with the same name, one succeeds', async () => {
    const definition = sourceOf('twins', { name: {} });
    const answers = await Promise.all([admin, other].map((call) => call('POST', '/modules', { definition })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});
