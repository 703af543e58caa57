// @module-tag slow
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { issueCode } from '../../../src/server/accounts/session/codes';
import { accounts } from '../../support/accounts';
import { serve, type RawAnswer, type Served } from './served';

let served: Served;
let owner: string;
let administrator: string;

beforeAll(async () => {
  served = await serve({ STALLED_AFTER: '30' });
  [owner, administrator] = [await served.signIn(accounts.owner), await served.signIn(accounts.admin)];
});
afterAll(() => served?.close());

const megabyte = 1024 * 1024;
const json = 'application/json';
const form = 'multipart/form-data; boundary=x';
const part = (name: string, file?: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ''}\r\n\r\n`;
const formOf = (parts: readonly string[]) => `${parts.map((one) => `${one}\r\n`).join('')}--x--\r\n`;

interface Sent {
  readonly method?: string;
  readonly token?: string;
  readonly type?: string;
  readonly headers?: readonly string[];
}

const headOf = (path: string, framing: string, { method = 'POST', token, type = json, headers = [] }: Sent) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    framing,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...headers,
    'Connection: close',
    '\r\n',
  ].join('\r\n');

/** Sends a whole body and returns status and problem. */
async function send(path: string, body: string | Buffer, sent: Sent): Promise<{ status: number; problem: Problem }> {
  const text = typeof body === 'string' ? body : body.toString('latin1');
  const length = typeof body === 'string' ? Buffer.byteLength(body, 'latin1') : body.length;
  return problemOf(await served.raw(headOf(path, `Content-Length: ${length}`, sent) + text));
}

interface Problem {
  readonly message?: string;
  readonly code?: string;
}

function problemOf({ status, text }: RawAnswer): { status: number; problem: Problem } {
  return { status, problem: JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Problem };
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const list = (entry: string, count: number) => `[${`${entry},`.repeat(count - 1)}${entry}]`;
const half = 2.4 * megabyte;

/** Bodies that are far more expensive than they are long, and what is wrong with them. */
const hostile: readonly (readonly [what: string, body: () => string, message: RegExp])[] = [
  ['nested lists', () => nested(half), /at most 64 levels/],
  ['nested lists in a value', () => `{"formats":${nested(half)}}`, /at most 64 levels/],
  ['nested objects', () => '{"a":'.repeat(900_000), /at most 64 levels/],
  ['brackets that are never closed', () => '['.repeat(2 * half), /at most 64 levels/],
  ['empty objects', () => `{"formats":${list('{}', 1_600_000)}}`, /at most 50,000 are read/],
  ['numbers', () => `{"formats":${list('1', half)}}`, /at most 50,000 are read/],
  ['names', () => `{${Array.from({ length: 300_000 }, (_, at) => `"k${at}":1`).join()}}`, /at most 1,000 are read/],
  ['one name, again and again', () => `{${list('"a":1', 800_000).slice(1, -1)}}`, /at most 1,000 are read/],
];

const listeners: readonly (readonly [what: string, method: string, path: string, token: () => string | undefined])[] = [
  ['a declared call', 'PATCH', '/api/preferences', () => owner],
  ['a record', 'POST', '/api/studios', () => owner],
  ['a stored record', 'PUT', '/api/studios/1', () => owner],
  ['a record with files', 'POST', '/api/screenings', () => owner],
  ['a call that is open to visitors, by somebody signed in', 'POST', '/api/confirm-identity', () => owner],
  ['the studio', 'POST', '/api/modules', () => administrator],
];

describe.each(listeners)('%s refuses with 413', (_what, method, path, token) => {
  test.each(hostile)('%s', async (_name, body, message) => {
    const { status, problem } = await send(path, body(), { method, token: token() });
    expect([status, problem]).toEqual([413, { code: 'TOO_LARGE', message: expect.stringMatching(message) as string }]);
  });
});

test('many records at once may have more values, and are limited too', async () => {
  const records = (count: number) => `{"create":[{"a":${list('1', count)}}]}`;
  const bulk = async (count: number) => (await send('/api/studios/bulk', records(count), { token: owner })).status;
  expect(await bulk(60_000)).toBe(422);
  expect(await bulk(310_000)).toBe(413);
});

test('a body of a visitor is limited in the same way', async () => {
  const { status, problem } = await send('/api/login', nested(30_000), {});
  expect([status, problem.message]).toEqual([413, 'The body is nested too deeply: at most 64 levels are read.']);
});

test.each([
  ['below the API', '/api/no/such/path/here'],
  ['elsewhere', '/no/such/path'],
])('a body for a path without a route is not read: %s', async (_where, path) => {
  expect(await send(path, nested(half), {})).toMatchObject({ status: 404, problem: { code: 'NOT_FOUND' } });
  expect(await send(path, formOf([`${part('a')}b`]), { type: form })).toMatchObject({ status: 404 });
});

test.each([
  ['JSON', json],
  ['a form', form],
])('an encoded body is not unpacked: %s', async (_what, type) => {
  const sent = { method: 'PUT', token: owner, type, headers: ['Content-Encoding: gzip'] };
  const answer = await send('/api/screenings/1', gzipSync(Buffer.alloc(20 * megabyte, '[')), sent);
  expect([answer.status, answer.problem.code]).toEqual([415, 'UNSUPPORTED_TYPE']);
});

test.each([
  ['JSON', '/api/studios', json, `{"name":"${'x'.repeat(20_000)}"}`],
  ['JSON of a visitor', '/api/login', json, `{"email":"${'x'.repeat(20_000)}"}`],
  ['a form', '/api/screenings', form, formOf([`${part('name')}${'x'.repeat(20_000)}`])],
])('%s in pieces of one byte is refused', async (_what, path, type, text) => {
  const pieces = `${Array.from(text, (one) => `1\r\n${one}\r\n`).join('')}0\r\n\r\n`;
  const sent = { type, token: path === '/api/login' ? undefined : owner };
  const answer = problemOf(await served.raw(headOf(path, 'Transfer-Encoding: chunked', sent) + pieces));
  expect([answer.status, answer.problem.message]).toEqual([413, expect.stringContaining('too many small pieces')]);
});

test('JSON in pieces arrives as it was sent, wherever its characters are cut', async () => {
  const body = Buffer.from(JSON.stringify({ formats: `"\\ä😀[{${'é,'.repeat(400)}` }));
  const whole = await send('/api/preferences', body, { method: 'PATCH', token: owner });
  for (const size of [1, 2, 3, 700]) {
    const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) => {
      const piece = body.subarray(at * size, (at + 1) * size).toString('latin1');
      return `${piece.length.toString(16)}\r\n${piece}\r\n`;
    });
    const head = headOf('/api/preferences', 'Transfer-Encoding: chunked', { method: 'PATCH', token: owner });
    expect(problemOf(await served.raw(`${head}${pieces.join('')}0\r\n\r\n`))).toEqual(whole);
  }
  expect(whole).toMatchObject({ status: 422, problem: { code: 'VALIDATION_FAILED' } });
});

describe('the texts of a form', () => {
  const text = (name: string, size: number) => `${part(name)}${'x'.repeat(size)}`;

  test.each([
    ['one', [text('name', 7 * megabyte)]],
    ['many', Array.from({ length: 20 }, (_, at) => text(`t${at}`, 0.4 * megabyte))],
    ['behind a file', [`${part('screenshot', 'a.png')}${'x'.repeat(2 * megabyte)}`, text('name', 6.5 * megabyte)]],
  ])('are limited together: %s', async (_what, parts) => {
    const { status, problem } = await send('/api/screenings', formOf(parts), { token: owner, type: form });
    expect([status, problem.code, problem.message]).toEqual([
      413,
      'TOO_LARGE',
      'The texts of a form must have at most 5 MB together.',
    ]);
    expect(served.uploads()).toEqual([]);
  });

  test('leave room for the files', async () => {
    const parts = [`${part('screenshot', 'a.png')}${'x'.repeat(4.9 * megabyte)}`, text('name', 4.5 * megabyte)];
    // All of it arrived: the file is no picture.
    expect((await send('/api/screenings', formOf(parts), { token: owner, type: form })).status).toBe(415);
  });
});

const deep = encodeURIComponent(`{"id":${nested(200)}}`);

test.each([
  [`/api/studios?filter=${deep}`, 422],
  [`/api/studios?where=${deep}`, 422],
  [`/api/studios?sort=${deep}`, 400],
  [`/api/studios?group=kind_id&closed=${deep}`, 400],
  [`/api/studios/aggregate?filter=${deep}`, 422],
  [`/api/notifications?filter=${deep}`, 400],
])('JSON of a query has the same limits: %#', async (path, status) => {
  const answer = await fetch(`${served.address}${path}`, { headers: { authorization: `Bearer ${owner}` } });
  expect(answer.status).toBe(status);
});

test('of unknown properties only some are named, by the beginning of their names', async () => {
  const names = Array.from({ length: 900 }, (_, at) => `${'k'.repeat(4_000)}${at}`);
  const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
  for (const [method, path] of [
    ['PATCH', '/api/preferences'],
    ['POST', '/api/studios'],
    ['PUT', '/api/profile/2'],
  ] as const) {
    const answer = await served.raw(headOf(path, `Content-Length: ${body.length}`, { method, token: owner }) + body);
    expect(answer.text.length, path).toBeLessThan(10_000);
  }
  const records = JSON.stringify({
    create: Array.from({ length: 1_000 }, () => Object.fromEntries(names.slice(0, 290).map((_, at) => [`k${at}`, 1]))),
  });
  expect((await send('/api/studios/bulk', records, { token: owner })).status).toBe(422);
});

/** A body that stops one byte before its end. */
function sendMostOf(length: number, token: string): { readonly answer: Promise<string>; close(): void } {
  let socket: Socket;
  const answer = new Promise<string>((done) => {
    socket = connect(served.port, '127.0.0.1', () => {
      socket.write(headOf('/api/studios', `Content-Length: ${length}`, { token }));
      socket.write(`{"name":"${'x'.repeat(length - 10)}`);
    });
    socket.on('data', (chunk: Buffer) => done(chunk.toString('latin1').split(' ')[1]!)).on('error', () => undefined);
  });
  return { answer, close: () => socket.destroy() };
}

test('the bodies of one person on their way take a bounded amount of memory, and those of others arrive', async () => {
  const open = Array.from({ length: 12 }, () => sendMostOf(5 * megabyte, owner));
  const refused: string[] = [];
  for (const { answer } of open) void answer.then((status) => refused.push(status));
  // 32 MB: six bodies of 5 MB.
  await vi.waitFor(() => expect(refused).toEqual(Array<string>(6).fill('429')), 20_000);
  const body = JSON.stringify({ name: 'x'.repeat(4 * megabyte) });
  expect((await send('/api/studios', body, { token: administrator })).status).toBe(422);
  // Short ones of the same person too.
  expect((await send('/api/studios', '{"name":""}', { token: owner })).status).toBe(422);
  for (const one of open) one.close();
  await vi.waitFor(async () => expect((await send('/api/studios', body, { token: owner })).status).toBe(422), 10_000);
});

test('who registered may send less until the address is confirmed', async () => {
  const body = { first_name: 'Ada', last_name: 'Novak', site_name: 'Novak Films', email: 'ada@novak.test' };
  const registered = await fetch(`${served.address}/api/register`, {
    method: 'POST',
    headers: { 'content-type': json },
    body: JSON.stringify({ ...body, password: 'Quiet#Harbour7' }),
  });
  const { token, user } = (await registered.json()) as { token: string; user: { id: number } };
  const large = JSON.stringify({ name: 'x'.repeat(300 * 1024) });
  expect(await send('/api/studios', large, { token })).toEqual({
    status: 413,
    problem: {
      code: 'TOO_LARGE',
      message:
        'This is too large: at most 256 kB can be sent at once until the email address of your registration is confirmed.',
    },
  });
  expect((await send('/api/studios', JSON.stringify({ name: 'x'.repeat(100 * 1024) }), { token })).status).toBe(422);
  const { database } = served.program;
  const code = await database.transaction((trx) => issueCode(trx, user.id, 'confirm'));
  const confirmed = await send('/api/confirm-address', JSON.stringify({ verification_code: code }), {});
  expect(confirmed.status).toBe(200);
  expect((await send('/api/studios', large, { token })).status).toBe(422);
});

test('refusing costs no more than reading an ordinary body of the same length', async () => {
  const cost = async (body: string, status: number) => {
    const all: number[] = [];
    for (let time = 0; time < 3; time++) {
      const before = process.cpuUsage();
      expect((await send('/api/preferences', body, { method: 'PATCH', token: owner })).status).toBe(status);
      const { user, system } = process.cpuUsage(before);
      all.push(user + system);
    }
    return Math.min(...all);
  };
  const floor = await cost(JSON.stringify({ formats: 'x'.repeat(2 * half) }), 422);
  for (const [what, body] of hostile) expect(await cost(body(), 413), what).toBeLessThan(3 * floor);
});
