import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';
import { studioOf, type Studio } from './studio';

// A field that is added to records that exist gives them its default, as if it had been there from the beginning.

let program: DemoProgram;
let owner: Client;
let studio: Studio;

beforeAll(async () => {
  program = await startFixtureProgram();
  studio = studioOf(await program.signIn(accounts.admin));
  owner = await program.signIn(accounts.owner);
  await studio.make('bands', { name: { required: true } });
  for (const name of ['One', 'Two']) await owner('POST', '/bands', { name });
});
afterAll(() => program?.close());

test('constant defaults fill the records that exist, and the plan says so', async () => {
  const fields = {
    state: {
      type: 'select',
      initial: 'new',
      options: [
        { value: 'new', label: 'New' },
        { value: 'old', label: "It's old" },
      ],
      transitions: [{ from: 'new', to: 'old' }],
    },
    members: { type: 'number', integer: true, required: true, default: 4 },
    is_touring: { type: 'boolean', default: true },
    motto: { default: "Don't stop" },
    founded: { type: 'date', default: '$today' },
    leader_id: { type: 'relation', to: 'users', default: 1 },
    code: { unique: true, default: 'X' },
  } as const;
  const { definition } = await studio.module('bands');
  const draft = { ...definition, fields: { ...definition.fields, ...fields } };
  const { steps } = await studio.plan('bands', draft);
  const text = steps.map((step) => step.text).join('\n');
  expect(text).toContain("Add the column state (text) to bands, with 'new' in the records that exist.");
  expect(text).toContain('Add the column founded (date) to bands.');
  expect(steps.filter(({ destructive }) => destructive)).toEqual([]);
  await studio.publish('bands', (source) => Object.assign(source.fields, fields));
  const { body } = await owner<object[]>('GET', '/bands?sort_by=id');
  expect(body).toEqual(
    ['One', 'Two'].map((name) =>
      expect.objectContaining({
        name,
        state: 'new',
        members: 4,
        is_touring: true,
        motto: "Don't stop",
        founded: null,
        leader_id: null,
        code: null,
      }),
    ),
  );
});

test('a record created later gets its default from the program alone', async () => {
  await studio.publish('bands', (source) => {
    delete (source.fields.motto as { default?: unknown }).default;
  });
  const { body } = await owner<object>('POST', '/bands', { name: 'Three', members: 2, leader_id: null });
  expect(body).toMatchObject({ motto: null, state: 'new', members: 2 });
});
