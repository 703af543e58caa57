// @module-tag slow
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renameField } from '../../../src/engine/studio/fields';
import { accounts, type Client } from '../../support/program';
import { csv, send } from '../imports/files';
import { startStudio, type StudioProgram } from '../modules/studio';

// The default of a relation is the record of its target that belongs to the person: my employee record.

type Row = Record<string, unknown> & { id: number };

let { program, owner, studio, query } = {} as StudioProgram;
let manager: Client;
let token: string;
const people: Record<string, number> = {};
const employees: Record<string, number> = {};

const made = async (path: string, values: object, call = owner): Promise<Row> => {
  const { status, body } = await call<Row & { data?: Row }>('POST', `/${path}`, values);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data ?? body;
};

beforeAll(async () => {
  ({ program, owner, studio, query } = await startStudio());
  manager = await program.signIn(accounts.manager);
  token = (await program.call<{ token: string }>('POST', '/login', { email: accounts.owner, password: 'Demo@1234' }))
    .body.token;
  for (const { id, email } of (await query('select id, email from users')) as (Row & { email: string })[])
    people[email] = id;
  await studio.make(
    'employees',
    { name: { required: true }, user_id: { type: 'relation', to: 'users' }, left: { type: 'boolean' } },
    { archive: true },
  );
  await studio.make(
    'absences',
    {
      name: { required: true },
      employee_id: {
        type: 'relation',
        to: 'employees',
        embed: 'employee',
        default: { $lookup: { user_id: '$actor.id', left: { $ne: true } } },
      },
    },
    { import: {} },
  );
  for (const who of ['owner', 'manager'] as const)
    employees[who] = (await made('employees', { name: who, user_id: people[accounts[who]] })).id;
});
afterAll(() => program?.close());

const employeeOf = async (values: object = {}, call = owner) =>
  (await made('absences', { name: 'Away', ...values }, call)).employee_id ?? null;
const choices = async (query: string, call = owner) => {
  const { status, body } = await call<{ data: Row[] }>('GET', `/absences/choices/employee_id?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ id }) => id);
};

test('a new record gets the record of who creates it, unless another one, or none, is sent', async () => {
  expect(await employeeOf()).toEqual(employees.owner);
  expect(await employeeOf({}, manager)).toEqual(employees.manager);
  expect(await employeeOf({ employee_id: employees.manager })).toEqual(employees.manager);
  expect(await employeeOf({ employee_id: null })).toBe(null);
});

test('forms request the default of a lookup, and get it with its title', async () => {
  expect(await choices('default=1')).toEqual([employees.owner]);
  expect(await choices('default=1', manager)).toEqual([employees.manager]);
  expect((await owner('GET', '/absences/choices/employee_id?default=2')).status).toBe(400);
});

test('imported records get the default of a lookup too', async () => {
  const file = csv([['Name'], ['Imported A'], ['Imported B']]);
  const imported = await send(program, token, '/absences/import', file, {}, 'absences.csv');
  expect(imported.body).toMatchObject({ success: true, imported: 2 });
  expect(await query(`select employee_id from absences where name like 'Imported%'`)).toEqual([
    { employee_id: employees.owner },
    { employee_id: employees.owner },
  ]);
});

test('a lookup gives no default where several records match, none does, or it may not be viewed', async () => {
  const second = await made('employees', { name: 'Second', user_id: people[accounts.owner] });
  expect([await employeeOf(), await choices('default=1')]).toEqual([null, []]);
  await owner('PUT', `/employees/${second.id}`, { left: true });
  expect([await employeeOf(), await choices('default=1')]).toEqual([employees.owner, [employees.owner]]);
  await owner('PUT', `/employees/${employees.owner}`, { left: true });
  expect([await employeeOf(), await choices('default=1')]).toEqual([null, []]);
  await owner('PUT', `/employees/${employees.owner}`, { left: false });
  await studio.publish('employees', (source) => {
    source.rules = [{ levels: [3], action: ['list', 'view'], where: { name: 'nobody' } }];
  });
  expect([await employeeOf({}, manager), await choices('default=1', manager)]).toEqual([null, []]);
  expect(await employeeOf()).toEqual(employees.owner);
});

test.each<[string, Record<string, unknown>, string, RegExp]>([
  [
    'a field that is no relation',
    { type: 'text', default: { $lookup: {} } },
    '/fields/value/default',
    /Only a relation/,
  ],
  [
    'a value of the form',
    { type: 'relation', to: 'employees', default: { $lookup: { name: '$form.name' } } },
    '/fields/value/default/$lookup',
    /looked up before there is a record/,
  ],
  [
    'an unknown field',
    { type: 'relation', to: 'employees', default: { $lookup: { user: '$actor.id' } } },
    '/fields/value/default/$lookup',
    /user/,
  ],
])('a lookup of %s is refused with its place', async (_, field, path, message) => {
  const { definition } = await studio.module('absences');
  const draft = { ...definition, fields: { ...definition.fields, value: field } };
  const { errors } = await studio.plan('absences', draft);
  expect(errors).toEqual([{ path, message: expect.stringMatching(message) as string }]);
});

test('a condition of a lookup follows when a field of its own module is renamed', () => {
  const source = {
    name: 'nodes',
    labels: { one: 'Node', many: 'Nodes' },
    fields: {
      name: {},
      owner_id: { type: 'relation', to: 'users' },
      above_id: { type: 'relation', to: 'nodes', default: { $lookup: { owner_id: '$actor.id' } } },
    },
  } as const;
  expect(renameField(source as never, 'owner_id', 'person_id').fields.above_id!.default).toEqual({
    $lookup: { person_id: '$actor.id' },
  });
});
