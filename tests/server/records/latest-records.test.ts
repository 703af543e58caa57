import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

const states = { type: 'select', options: ['won', 'lost'].map((value) => ({ value, label: value })) } as const;
const fields = { name: { type: 'text', required: true } } as const;
const teams: Source = sourceOf(
  'teams',
  {
    ...fields,
    recent: {
      type: 'inverse',
      source: 'matches.team_id',
      indirectRelation: 'player_id.team_id',
      maxItems: 3,
      latestBy: 'played_on',
      valueStrip: 'state',
      inLists: 'records',
    },
  },
  { scope: 'company', grants: { '4': 'read', '5': 'read', '6': 'read' } },
);
const players: Source = sourceOf(
  'players',
  { ...fields, team_id: { type: 'relation', to: 'teams' } },
  { scope: 'company', grants: { '4': 'read', '5': 'none', '6': 'read' } },
);
const matches: Source = sourceOf(
  'matches',
  {
    ...fields,
    team_id: { type: 'relation', to: 'teams' },
    player_id: { type: 'relation', to: 'players' },
    state: states,
    played_on: { type: 'date' },
  },
  {
    scope: 'company',
    grants: { '4': 'read', '5': 'read', '6': 'read' },
    rules: [{ levels: [6], action: ['list', 'view'], where: { state: 'won' } }],
  },
);

type Row = Record<string, unknown> & { id: number };

let demo: DemoProgram;
let admin: Client;
let owner: Client;
let team: number;

const made = async (path: string, body: object): Promise<number> => {
  const { status, body: record } = await owner<Row>('POST', path, body);
  expect(status, JSON.stringify(record)).toBe(201);
  return record.id;
};

beforeAll(async () => {
  demo = await startFixtureProgram();
  admin = await demo.signIn(accounts.admin);
  owner = await demo.signIn(accounts.owner);
  // Each needs another one, so the first version of the teams has no matches yet.
  for (const definition of [{ ...teams, fields: { ...fields } }, players, matches]) {
    const answer = await admin('POST', '/modules', { definition });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  }
  const answer = await admin('PUT', '/modules/teams', { definition: teams, version: 1 });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  team = await made('/teams', { name: 'Red' });
  const player = await made('/players', { name: 'Ann', team_id: team });
  const other = await made('/players', { name: 'Bob', team_id: await made('/teams', { name: 'Blue' }) });
  const match = (name: string, day: number | null, state: string, more: object) =>
    made('/matches', { name, played_on: day && `2026-01-0${day}`, state, ...more });
  await match('first', 1, 'won', { team_id: team });
  await match('third', 3, 'lost', { team_id: team });
  await match('second', 2, 'won', { team_id: team });
  await match('of a player', 4, 'won', { player_id: player });
  await match('of both', 5, 'lost', { team_id: team, player_id: player });
  await match('not played', null, 'lost', { team_id: team });
  await match('of another', 6, 'won', { player_id: other });
});
afterAll(() => demo?.close());

const namesFor = async (client: Client, path = '/teams?q=Red') => {
  const { body } = await client<Row | Row[]>('GET', path);
  const [row] = Array.isArray(body) ? body : [body];
  return (row!.recent as Row[] | undefined)?.map(({ name }) => name);
};

test('lists and records have the latest records, the latest last, also those through another record, each once', async () => {
  expect(await namesFor(owner)).toEqual(['third', 'of a player', 'of both']);
  expect(await namesFor(owner, `/teams/${team}`)).toEqual(['third', 'of a player', 'of both']);
  const { body } = await owner<Row>('GET', `/teams/${team}`);
  expect((body.recent as Row[])[0]).toEqual({
    id: expect.any(Number) as number,
    name: 'third',
    state: 'lost',
    played_on: '2026-01-03',
  });
});

test('of them only those that the caller may list, and only through records that they may list', async () => {
  expect(await namesFor(await demo.signIn(accounts.external))).toEqual(['first', 'second', 'of a player']);
  expect(await namesFor(await demo.signIn(accounts.qa))).toEqual(['second', 'third', 'of both']);
  const { body } = await (await demo.signIn(accounts.harbour))<Row[]>('GET', '/teams?q=Red');
  expect(body).toEqual([]);
});

test('a list of them is one statement and its count', async () => {
  const { body } = await owner<Row[]>('GET', '/teams?fields=name,recent');
  expect(body.map((row) => Object.keys(row).toSorted())).toEqual([
    ['id', 'name', 'recent'],
    ['id', 'name', 'recent'],
  ]);
});

test.each<[object, RegExp]>([
  [{ maxItems: undefined }, /Say how many with \\?"maxItems/],
  [{ maxItems: 101 }, /at most 100/],
  [{ inLists: 'count' }, /A count is of all records/],
  [{ latestBy: 'name' }, /must be a date/],
  [{ valueStrip: 'name' }, /a strip shows the options of a select/],
  [{ indirectRelation: 'name.team_id' }, /not a relation/],
  [{ indirectRelation: 'team_id.name' }, /does not point to teams/],
])('%j is refused with its remedy', async (change, message) => {
  const recent = { ...teams.fields.recent!, ...change };
  const definition = { ...teams, fields: { ...teams.fields, recent } };
  const { status, body } = await admin('PUT', '/modules/teams', { definition, version: 2 });
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toMatch(message);
});
