import type { TSchema } from 'typebox';
import { expect } from 'vitest';
import { actions, type Definition } from '../../src/engine/definitions/definition';
import type { Registry } from '../../src/engine/registry/registry';
import { writableFields } from '../../src/engine/validation/record-schema';
import type { Client, DemoProgram } from './program';
import { sampleRecord, unwrap } from './samples';
import type { ServiceAccount } from './service-account';

type Row = Record<string, unknown> & { id: number };

/** A service account that writes, the owner of its company, and the program. */
export interface Writer {
  readonly program: DemoProgram;
  readonly registry: Registry;
  readonly owner: Client;
  readonly account: ServiceAccount;
}

let count = 0;

/** The resources of whose records a company's owner does everything; credentials need a person who confirmed who they are. */
export function ownersResources(registry: Registry): Definition[] {
  return [...registry.definitions.values()].filter(
    (one) =>
      one.scope !== 'installation' &&
      one.scope !== 'self' &&
      !['roles', 'service-accounts'].includes(one.name) &&
      actions.every((action) => one.grants[2].includes(action)) &&
      writableFields(one).some(({ system }) => !system),
  );
}

/** Sends a call of the account that must succeed. */
export async function sendAs<T = Row>({ account }: Writer, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await account.call<T>(method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** The first record of a resource. */
export async function firstOf({ owner }: Writer, definition: Definition): Promise<Row> {
  const { body } = await owner('GET', `/${definition.name}?range=[0,0]`);
  return unwrap<Row[]>(definition, body)[0]!;
}

/** Creates, changes, restores and deletes records of a resource, and expects their histories to name the account. */
export async function writeRecords(writer: Writer, definition: Definition): Promise<void> {
  const { account, program } = writer;
  const { name } = definition;
  const send = <T = Row>(method: string, path: string, body?: unknown) => sendAs<T>(writer, method, path, body);
  const sample = () => sampleOf(writer, definition);
  const change = async () => {
    const field = writableFields(definition).find(
      ({ type, system }) => !system && ['text', 'textarea'].includes(type),
    )!;
    return { [field.name]: (await sample())[field.name] };
  };
  const expectHistory = async (id: number, events: readonly string[]) => {
    const { rows } = await program.program.database.pool.query(
      `select h.event, u.first_name as name from assay.history h join users u on u.id = h.user_id
      where h.resource = '${name}' and h.record_id = ${id} order by h.id`,
    );
    expect(rows).toEqual(definition.history ? events.map((event) => ({ event, name: account.name })) : []);
  };
  const attempt = async (method: string, path: string, body: unknown) => {
    const answer = await account.call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  };

  const record = unwrap<Row>(definition, await send('POST', `/${name}`, await sample()));
  const creator = definition.fields.created_by?.embed;
  if (creator && creator in record) expect(record[creator]).toMatchObject({ name: account.name });
  await send('PUT', `/${name}/${record.id}`, await change());
  await send('PATCH', `/${name}/${record.id}`, await change());
  const history = await send<{ data: Row[] }>('GET', `/${name}/${record.id}/history`);
  for (const { user } of history.data) expect(user).toMatchObject({ name: account.name });
  await expectHistory(record.id, ['created', 'updated', 'updated']);
  const version = history.data[0]?.id;
  if (version !== undefined) await attempt('POST', `/${name}/${record.id}/history/${version}/restore`, {});
  await send('DELETE', `/${name}/${record.id}`);
  if (definition.archive) await send('PATCH', `/${name}/restore/${record.id}`, {});
  else await attempt('POST', `/${name}/restore`, { ids: [record.id] });
  const bulk = await send<{ data: { created: Row[] } }>('POST', `/${name}/bulk`, {
    create: [await sample(), await sample()],
  });
  const [first, second] = bulk.data.created as [Row, Row];
  await send('POST', `/${name}/bulk`, { update: [{ id: first.id, ...(await change()) }], delete: [second.id] });
  await expectHistory(first.id, ['created', 'updated']);
}

async function sampleOf({ owner, registry }: Writer, definition: Definition) {
  const values = await sampleRecord(definition, registry, owner, `${definition.name.slice(0, 3)}${++count}`);
  const { password: _, ...rest } = values;
  return rest;
}

/** The declared calls, with bodies that are nearly right, which a service account gets a fault of the server from. */
export async function serverFaults({ program, account }: Writer, types: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const calls = program.app.describedCalls.filter(({ scope }) => scope !== 'public');
  expect(calls.length).toBeGreaterThan(80);
  for (const type of types)
    for (const { method, path, body, querystring } of calls) {
      const filled = path
        .replace(/:(type|resource|name)/, type)
        .replace(':field', 'user_ids')
        .replace(/:\w+/g, '1');
      const values = querystring ? Object.entries(bodyOf(querystring)).map(([name, one]) => [name, String(one)]) : [];
      for (const asked of ['', `?${new URLSearchParams(values).toString()}`])
        for (const sent of method === 'get' ? [undefined] : [{}, body && bodyOf(body)]) {
          const answer = await account.call(method.toUpperCase(), `${filled}${asked}`, sent);
          if (answer.status >= 500) faults.push(`${method} ${filled}${asked}: ${JSON.stringify(answer.body)}`);
        }
    }
  return faults;
}

/** A value that a schema accepts, or nearly. */
function valueOf(schema: TSchema): unknown {
  const { type, anyOf, enum: values, const: constant, format, minLength = 1, items } = schema as Keywords;
  if (constant !== undefined) return constant;
  if (values) return values[0];
  if (anyOf) return valueOf(anyOf[0]!);
  if (type === 'object') return bodyOf(schema);
  if (type === 'array') return [valueOf(items!)];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (format === 'email') return 'somebody@demo.test';
  if (format === 'date-time') return '2026-11-16T14:30:00.000Z';
  return type === 'string' ? 'x'.repeat(minLength) : null;
}

interface Keywords {
  readonly type?: string;
  readonly anyOf?: readonly TSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minLength?: number;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
}

function bodyOf(schema: TSchema): Record<string, unknown> {
  const { properties = {} } = schema as Keywords;
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valueOf(one)]));
}
