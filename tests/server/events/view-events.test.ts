import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerEvents } from '../../../src/server/events/events-route';
import { visibleEvents } from '../../../src/server/events/visible-events';
import { sendError } from '../../../src/server/http/error-handler';
import { anyResource } from '../../../src/server/live/live-hub';
import { authenticate, currentActor, onAccessChange } from '../../../src/server/accounts/session/authenticate';
import { password } from '../../support/accounts';
import { accounts, startFixtureProgram, type DemoProgram } from '../../support/program';

// Who hears of a saved view that is shared, changed, taken back or deleted: who may see it, or saw it until then.

const roleIds = { owner: 2, manager: 3, developer: 4, qa: 5, external: 6 } as const;
const roles = Object.keys(roleIds) as (keyof typeof roleIds)[];

let demo: DemoProgram;
let app: FastifyInstance;
const stop = new AbortController();
/** By company and role, such as `2.developer`, and `admin`: the next events of views until a signal that all windows get. */
const windows = new Map<string, () => Promise<string[]>>();

beforeAll(async () => {
  demo = await startFixtureProgram();
  const { program } = demo;
  app = Fastify();
  app.setErrorHandler(sendError);
  registerEvents(app, program, {
    authenticate: (request) => authenticate(program, request),
    currentActor: (request) => currentActor(program, request),
    filterVisible: (actor, events, asked) => visibleEvents(program, actor, events, asked),
    onAccessChange: (listener) => onAccessChange(program, listener),
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const admin = await demo.signIn(accounts.admin);
  const emails = new Map([['admin', accounts.admin as string]]);
  for (const role of roles) {
    emails.set(`1.${role}`, accounts[role]);
    const email = `${role}.two@demo.test`;
    const { status } = await admin('POST', '/users', {
      ...{ first_name: 'Second', last_name: role, email, password, status_id: 1 },
      ...{ role_id: roleIds[role], site_id: 2 },
    });
    expect(status).toBe(201);
    emails.set(`2.${role}`, email);
  }
  for (const [name, email] of emails) windows.set(name, await openWindow(address, email));
});
afterAll(async () => {
  stop.abort();
  await app?.close();
  await demo?.close();
});

async function openWindow(address: string, email: string) {
  const { body } = await demo.call<{ token: string }>('POST', '/login', { email, password });
  const headers = { Authorization: `Bearer ${body.token}` };
  const response = await fetch(`${address}/events`, { headers, signal: stop.signal });
  expect(response.status).toBe(200);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async () => {
    const heard: string[] = [];
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`The stream of ${email} has ended.`);
        text += value;
        continue;
      }
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      if (!block.startsWith('data: ')) continue;
      const event = JSON.parse(block.slice(6)) as Record<string, unknown>;
      if (event.resource === anyResource) return heard;
      expect(Object.keys(event)).toEqual(['resource', 'id', 'event']);
      if (event.resource === 'views') heard.push(`${String(event.id)} ${String(event.event)}`);
    }
  };
}

/** What each window heard of a view while something was done; windows that heard nothing are left out. */
async function heardOf(id: number | undefined, act: () => Promise<number>): Promise<Record<string, string>> {
  const known = id ?? (await act());
  if (id !== undefined) await act();
  demo.program.live.publish({ resource: anyResource, id: 0, event: 'changed' });
  const heard: Record<string, string> = {};
  for (const [name, next] of windows) {
    const events = await next();
    expect(events.every((event) => event.startsWith(`${known} `))).toBe(true);
    if (events.length > 0) heard[name] = events.map((event) => event.split(' ')[1]).join();
  }
  return heard;
}

const all = (event: string) => Object.fromEntries(roles.map((role) => [`1.${role}`, event]));

test('events of views reach the windows that see them, or no longer see them, and no others', async () => {
  const owner = await demo.signIn(accounts.owner);
  const send = async (method: string, path: string, body?: object) => {
    const answer = await owner<{ id: number }>(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  let id = 0;
  const create = (values: object) => async () => {
    const made = await send('POST', '/views', { name: 'Late', module: 'films', settings: {}, ...values });
    return (id = made.id);
  };
  const edit = (values: object) => async () => {
    await send('PUT', `/views/${id}`, values);
    return id;
  };
  const remove = async () => {
    await send('DELETE', `/views/${id}`);
    return id;
  };
  expect(await heardOf(undefined, create({ audience: 'me' }))).toEqual({ '1.owner': 'created' });
  expect(await heardOf(id, edit({ name: 'Mine' }))).toEqual({ '1.owner': 'updated' });
  expect(await heardOf(id, edit({ audience: 'role', role_id: roleIds.developer }))).toEqual({
    ...{ '1.owner': 'updated', '1.developer': 'updated' },
  });
  expect(await heardOf(id, edit({ audience: 'everyone' }))).toEqual(all('updated'));
  expect(await heardOf(id, edit({ name: 'Ours' }))).toEqual(all('updated'));
  expect(await heardOf(id, edit({ audience: 'role', role_id: roleIds.qa }))).toEqual({
    ...all('deleted'),
    ...{ '1.owner': 'updated', '1.qa': 'updated' },
  });
  expect(await heardOf(id, edit({ audience: 'role', role_id: roleIds.external }))).toEqual({
    ...{ '1.owner': 'updated', '1.qa': 'deleted', '1.external': 'updated' },
  });
  expect(await heardOf(id, edit({ audience: 'me' }))).toEqual({ '1.owner': 'updated', '1.external': 'deleted' });
  expect(await heardOf(id, remove)).toEqual({ '1.owner': 'deleted' });

  expect(await heardOf(undefined, create({ audience: 'everyone' }))).toEqual(all('created'));
  expect(await heardOf(id, remove)).toEqual(all('deleted'));
  const forManagers = create({ audience: 'role', role_id: roleIds.manager });
  expect(await heardOf(undefined, forManagers)).toEqual({ '1.owner': 'created', '1.manager': 'created' });
  expect(await heardOf(id, remove)).toEqual({ '1.owner': 'deleted', '1.manager': 'deleted' });
});
