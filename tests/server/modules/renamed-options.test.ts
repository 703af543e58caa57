// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { accounts } from '../../support/program';
import { csv, send } from '../imports/files';
import { startStudio, type StudioProgram } from './studio';

// A value of a select gets another name ("formerValue"), and everything that has it follows.

let { program, owner, studio, query } = {} as StudioProgram;
let token: string;

type Row = Record<string, unknown> & { id: number };

const optionsOf = (...values: string[]) => values.map((value) => ({ value, label: value.toUpperCase() }));
const fields: Source['fields'] = {
  name: { required: true },
  state: { type: 'select', options: optionsOf('open', 'in_work', 'done'), default: 'open' },
  tags: { type: 'select', multiple: true, options: optionsOf('red', 'green', 'blue') },
  steps: { type: 'rows', fields: { kind: { type: 'select', options: optionsOf('call', 'mail') } } },
};

beforeAll(async () => {
  ({ program, owner, studio, query } = await startStudio());
  token = (await program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password: 'Demo@1234' }))
    .body.token;
  await studio.make('errands', fields, { import: {}, export: {} });
  for (const [name, state, tags, kind] of [
    ['First', 'in_work', ['red', 'blue'], 'call'],
    ['Second', 'open', ['green'], 'mail'],
    ['Third', 'done', ['blue'], 'call'],
  ])
    expect((await owner('POST', '/errands', { name, state, tags, steps: [{ kind }] })).status).toBe(201);
  const view = await owner('POST', '/views', {
    name: 'At work',
    module: 'errands',
    settings: { filters: { state: ['in_work', 'open'], tags: ['blue'] } },
  });
  expect(view.status, JSON.stringify(view.body)).toBe(201);
});
afterAll(() => program?.close());

const rename = (source: Source) => {
  const { state, tags, steps } = source.fields;
  state!.options![1] = { value: 'working', label: 'Working', formerValue: 'in_work' };
  tags!.options![2] = { value: 'navy', label: 'Navy', formerValue: 'blue' };
  steps!.fields!.kind!.options![0] = { value: 'phone', label: 'Phone', formerValue: 'call' };
};
const stored = () =>
  query(
    `select e.name, e.state, e.tags, s.kind from errands e join errands__steps s on s.parent_id = e.id order by e.id`,
  );
const list = async (path: string) => {
  const { status, body } = await owner<Row[] | { data: Row[] }>('GET', `/errands${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (Array.isArray(body) ? body : body.data).map(({ name }) => name).sort();
};

const renamedRows = [
  { name: 'First', state: 'working', tags: ['red', 'navy'], kind: 'phone' },
  { name: 'Second', state: 'open', tags: ['green'], kind: 'mail' },
  { name: 'Third', state: 'done', tags: ['navy'], kind: 'phone' },
];

test('the plan of a renamed value names the rows that get it, and no broken rule', async () => {
  const { definition } = await studio.module('errands');
  const draft = structuredClone(definition);
  rename(draft);
  const plan = await studio.plan('errands', draft);
  expect(plan.errors).toEqual([]);
  expect(plan.steps.filter(({ kind }) => kind === 'renameValues')).toMatchObject([
    { text: 'Rename "in_work" to "working" in state of errands.', rows: 1, destructive: false },
    { text: 'Rename "blue" to "navy" in tags of errands.', rows: 2, destructive: false },
    { text: 'Rename "call" to "phone" in kind of errands__steps.', rows: 2, destructive: false },
  ]);
  expect(plan.steps.filter(({ kind }) => kind === 'rule')).toEqual([]);
  expect(plan.steps.map(({ text }) => text).join(' ')).toContain('stored as "in_work" → "working"');
});

test.each<[string, (source: Source) => void, Record<string, string>]>([
  [
    'a default that names it',
    ({ fields: { state } }) => void (state!.default = 'in_work'),
    { '/fields/state/default': '"in_work" of "state" is called "working" now: write that.' },
  ],
  [
    'a condition that names it',
    (source) =>
      void (source.list = { ...source.list, highlight: { where: { state: 'in_work' }, label: 'x', tone: 'high' } }),
    { '/list/highlight/where': '"in_work" of "state" is called "working" now: write that.' },
  ],
  [
    'a transition that names it',
    ({ fields: { state } }) => void (state!.transitions = [{ from: ['in_work', 'open'], to: 'done' }]),
    { '/fields/state/transitions/0/from': '"in_work" is not an option of this field: "open", "working", "done".' },
  ],
  [
    'a former value that is still offered',
    ({ fields: { state } }) => void (state!.options![0]!.formerValue = 'done'),
    { '/fields/state/options/0/formerValue': 'An option "done" still exists. Remove "formerValue", or that option.' },
  ],
  [
    'a former value of two options',
    ({ fields: { state } }) => void (state!.options![2]!.formerValue = 'in_work'),
    { '/fields/state/options/2/formerValue': '"in_work" is already the former value of another option.' },
  ],
  [
    'a former value of another type',
    ({ fields: { state } }) => void (state!.options![2]!.formerValue = 3),
    { '/fields/state/options/2/formerValue': 'The former value must be a text as the present one is.' },
  ],
])('publishing a renamed value refuses %s', async (_, change, errors) => {
  const answer = await studio.tryPublish('errands', (source) => {
    rename(source);
    change(source);
  });
  expect(answer).toMatchObject({ status: 422, body: { errors } });
});

test('rows, saved views, filters, sent values and files follow a renamed value; the history stays', async () => {
  await studio.publish('errands', rename);
  expect(await stored()).toEqual(renamedRows);
  expect(await query(`select settings->'filters' as filters from views where module = 'errands'`)).toEqual([
    { filters: { state: ['working', 'open'], tags: ['navy'] } },
  ]);
  for (const query of ['?state=in_work', '?state=working', '?tags=blue,red', '?where={"state":"in_work"}'])
    expect(await list(query), query).toEqual(query.includes('tags') ? ['First', 'Third'] : ['First']);
  const [first] = (await query(`select id from errands where name = 'First'`)) as Row[];
  const history = await query(`select new_values->>'state' as state from assay.history
    where resource = 'errands' and record_id = ${first!.id}`);
  expect(history).toEqual([{ state: 'in_work' }]);
  const shown = await owner('GET', `/errands/${first!.id}/history`);
  expect(JSON.stringify(shown.body)).toContain('in_work');

  const sent = await owner('POST', '/errands', { name: 'Late', state: 'in_work', tags: ['blue', 'navy', 'red'] });
  expect(sent.body).toMatchObject({ state: 'working', tags: ['red', 'navy'] });
  const file = csv([
    ['Name', 'State', 'Tags'],
    ['Imported', 'in_work', 'blue, green'],
  ]);
  const imported = await send(program, token, '/errands/import', file, {}, 'errands.csv');
  expect(imported.body).toMatchObject({ success: true, imported: 1 });
  expect(await query(`select name, state, tags from errands where name in ('Late', 'Imported') order by id`)).toEqual([
    { name: 'Late', state: 'working', tags: ['red', 'navy'] },
    { name: 'Imported', state: 'working', tags: ['green', 'navy'] },
  ]);
});

test('rows of a server of an older version get the new value with the next change, and once', async () => {
  await query(`update errands set state = 'in_work' where name = 'Third'`);
  await studio.publish('errands', ({ fields: { name } }) => void (name!.help = 'What is to be done.'));
  expect(await query(`select state from errands where name = 'Third'`)).toEqual([{ state: 'working' }]);
  const { definition } = await studio.module('errands');
  expect((await studio.plan('errands', definition)).steps).toEqual([]);
});

test('publishing the older version gives rows their former value back', async () => {
  await query(`delete from errands where name in ('Late', 'Imported')`);
  await query(`update errands set state = 'done' where name = 'Third'`);
  expect((await studio.restore('errands', 1)).status).toBe(200);
  expect(await stored()).toEqual([
    { name: 'First', state: 'in_work', tags: ['red', 'blue'], kind: 'call' },
    { name: 'Second', state: 'open', tags: ['green'], kind: 'mail' },
    { name: 'Third', state: 'done', tags: ['blue'], kind: 'call' },
  ]);
  expect(await list('?state=in_work')).toEqual(['First']);
  await studio.publish('errands', rename);
  expect(await stored()).toEqual(renamedRows);
});
