// @module-tag slow
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accounts } from '../../support/program';
import { startStudio, type StudioProgram } from '../modules/studio';

// A comment starts automations: the first response of somebody else than who asked.

type Row = Record<string, unknown> & { id: number };

let { program, admin, owner, studio, query } = {} as StudioProgram;

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  await studio.make(
    'requests',
    {
      name: { required: true },
      requester_id: { type: 'relation', to: 'users' },
      first_response_at: { type: 'datetime', readOnly: true },
      replies: { type: 'number', integer: true },
    },
    {
      labels: { one: 'Request', many: 'Requests' },
      grants: { 2: 'all', 3: 'all', 4: 'read', 5: 'read' },
      comments: { internal: { levels: [1, 2, 3, 4] } },
      automations: [
        {
          name: 'first_response',
          label: 'First response',
          events: ['comment'],
          where: {
            first_response_at: null,
            requester_id: { $ne: '$actor.id' },
            '$actor.level': { $lte: 4 },
          },
          runAs: accounts.owner,
          steps: [{ set: { first_response_at: '$now' } }],
        },
      ],
    },
  );
});
afterAll(() => program?.close());

const runsOf = async (id: number) =>
  (
    await admin<Row[]>(
      'GET',
      `/automation-runs?filter=${encodeURIComponent(JSON.stringify({ resource: 'requests', record_id: id }))}&sort=["id","ASC"]`,
    )
  ).body;
const endedRuns = (id: number, count: number) =>
  vi.waitFor(async () => {
    const runs = await runsOf(id);
    expect(runs.filter(({ state }) => state !== 'waiting')).toHaveLength(count);
    return runs;
  });
const make = async () => {
  const qa = (await query(`select id from users where email = '${accounts.qa}'`)) as Row[];
  const { body } = await owner<Row & { data?: Row }>('POST', '/requests', { name: 'Help', requester_id: qa[0]!.id });
  return (body.data ?? body).id;
};
const say = async (email: string, id: number, more: object = {}) => {
  const by = await program.signIn(email);
  const answer = await by<{ data: { created_at: string } }>('POST', `/requests/${id}/comments`, {
    text: '<p>Hello</p>',
    ...more,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
};
const responseAt = async (id: number) =>
  (await query(`select first_response_at as at from requests where id = ${id}`))[0]!.at as string | null;

test('the first comment of somebody else sets the time of the first response, which is that of the comment', async () => {
  const id = await make();
  await say(accounts.qa, id);
  await say(accounts.owner, id, { internal: true });
  expect(await runsOf(id)).toEqual([]);
  const { created_at } = await say(accounts.manager, id);
  const [run] = await endedRuns(id, 1);
  expect(run).toMatchObject({
    automation: 'first_response',
    state: 'done',
    trigger: 'comment',
    reason: 'Because the request got a comment, and its condition was met.',
  });
  expect(new Date((await responseAt(id))!).toISOString()).toBe(new Date(created_at).toISOString());
  await say(accounts.owner, id);
  expect(await runsOf(id)).toHaveLength(1);
});

test('of two comments that were written before the first run only one sets the field', async () => {
  const id = await make();
  await Promise.all([say(accounts.manager, id), say(accounts.owner, id)]);
  const runs = await endedRuns(id, (await runsOf(id)).length);
  expect(runs.filter(({ state }) => state === 'done')).toHaveLength(1);
  for (const { state, message } of runs)
    if (state === 'refused')
      expect(message).toBe('Its condition is no longer met: the record was changed since the comment.');
});

test.each<[string, (source: Record<string, unknown>) => void, string, string]>([
  [
    'needs comments',
    (source) => void delete source.comments,
    '/automations/0/events',
    'Nobody comments on these records: add "comments": true, or remove "comment".',
  ],
  [
    'has no changed fields',
    (source) => void ((source.automations as Row[])[0]!.changedFields = ['name']),
    '/automations/0/changedFields',
    'A comment changes no field, so "changedFields" is never met by it. Make an automation of its own with "events": ["comment"].',
  ],
])('an automation after a comment %s', async (_, change, path, message) => {
  const { definition } = await studio.module('requests');
  const draft = structuredClone(definition) as unknown as Record<string, unknown>;
  change(draft);
  expect((await studio.plan('requests', draft)).errors).toContainEqual({ path, message });
});

test('a comment is tried out on a record', async () => {
  const id = await make();
  const { definition } = await studio.module('requests');
  const tried = await admin<{ data: { automations: object[] } }>('POST', '/modules/requests/try', {
    definition,
    record: id,
    trigger: 'comment',
  });
  expect(tried.body.data.automations, JSON.stringify(tried.body)).toMatchObject([
    { runs: true, reason: 'Because the request got a comment, and its condition was met.' },
  ]);
});
