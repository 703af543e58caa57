// @module-tag slow
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { redactUrl } from '../../../src/server/requests/redact-url';
import { openLog } from '../../../src/server/settings/log';
import { accounts, startFixtureProgram, type Client, type DemoProgram } from '../../support/program';

type Line = Record<string, unknown>;

let started: DemoProgram;
let admin: Client;
let lines: Line[] = [];
const log = openLog(
  'info',
  new Writable({ write: (chunk, _encoding, done) => done(void lines.push(JSON.parse(String(chunk)))) }),
);

beforeAll(async () => {
  started = await startFixtureProgram({ log, env: { SLOW_REQUEST_MS: '1', SLOW_STATEMENT_MS: '1' } });
  admin = await started.signIn(accounts.admin);
});
afterAll(() => started?.close());
beforeEach(() => {
  lines = [];
});

test.each([
  ['req-7f3a', 'req-7f3a'],
  [
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ],
  [undefined, undefined],
  ['two words', undefined],
  ['ä', undefined],
  ['', undefined],
  ['x'.repeat(129), undefined],
])('X-Request-Id %s is answered as %s, or as a new one', async (given, expected) => {
  const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
  const seen = new Set<unknown>();
  for (const path of ['/studios', '/nothing/here/at/all', '/health/live', '/%zz']) {
    const id = (await started.call('GET', path, undefined, headers)).headers['x-request-id'];
    seen.add(id);
    expect(id).toMatch(expected === undefined ? /^[\da-f]{8}-[\da-f-]{27}$/ : /./);
    if (expected !== undefined) expect(id).toBe(expected);
  }
  expect(seen.size).toBe(expected === undefined ? 4 : 1);
});

test('an error contains the request id, in the response and in the log, with user and URL, without secrets', async () => {
  const { pool } = started.program.database;
  await pool.query('alter table studios rename to studios_elsewhere');
  const path = '/studios/1?fields=name&signature=very-secret&email=a@b.test';
  const answer = await admin<Line>('GET', path, undefined, { 'x-request-id': 'report-1' });
  await pool.query('alter table studios_elsewhere rename to studios');
  expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL', request_id: 'report-1' } });
  expect(answer.body.message).toContain('If you report this, include the request ID report-1.');
  const failed = lines.find(({ msg }) => msg === 'A request failed');
  expect(failed).toMatchObject({
    request_id: 'report-1',
    method: 'GET',
    route: '/api/:resource/:id',
    url: '/api/studios/1?fields=name&signature=redacted&email=redacted',
    user_id: 1,
  });
  expect(JSON.stringify(lines)).not.toContain('very-secret');
});

test('slow requests and statements are logged with their request id, statements without values', async () => {
  const id = 'slow-1';
  await admin('GET', '/screenings?q=unusual-needle', undefined, { 'x-request-id': id });
  const mine = lines.filter(({ request_id }) => request_id === id);
  expect(mine.find(({ msg }) => msg === 'A request was slow')).toMatchObject({
    route: '/api/:resource',
    status: 200,
    ms: expect.any(Number),
    user_id: 1,
  });
  const statement = mine.find(({ msg }) => msg === 'A statement was slow');
  expect(statement).toMatchObject({ ms: expect.any(Number), sql: expect.stringMatching(/select .*\$1/s) });
  expect(JSON.stringify(statement)).not.toContain('unusual-needle');
});

test('each log entry is one line of JSON, and entries outside of requests have no id', async () => {
  log.info('By itself');
  expect(lines.at(-1)).toEqual({ level: 30, time: expect.any(String), msg: 'By itself' });
});

test.each([
  ['/api/shots/7?fields=name', '/api/shots/7?fields=name'],
  [
    '/api/files/0d4c6e5c-4f1f-4d0e-9c59-9d1ffb0e5a32?expires=1&signature=abc',
    '/api/files/redacted?expires=1&signature=redacted',
  ],
  ['/testcase/Vx3kPq9LmZ-8sTgYhWb2', '/testcase/redacted'],
  ['/reset-password?code=12&email=a%40b.test', '/reset-password?code=redacted&email=redacted'],
  [
    '/api/oidc/callback?code=1&state=2&session_state=3',
    '/api/oidc/callback?code=redacted&state=redacted&session_state=redacted',
  ],
  ['/api/users?q=ada%40example.test&page=2', '/api/users?q=redacted&page=2'],
  ['/api/x?Vx3kPq9LmZ-8sTgYhWb2', '/api/x?redacted'],
  ['/api/x?a=Vx3kPq9LmZ8sTgYhWb2QQ&token=', '/api/x?a=redacted&token='],
  ['/api/screening-types/choices/created_by', '/api/screening-types/choices/created_by'],
])('%s is logged as %s', (url, logged) => {
  expect(redactUrl(url)).toBe(logged);
});
