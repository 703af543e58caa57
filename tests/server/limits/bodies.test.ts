// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accounts } from '../../support/accounts';
import { serve, type RawAnswer, type Served } from './served';

let served: Served;
let owner: string;
let external: string;

beforeAll(async () => {
  served = await serve({ STALLED_AFTER: '1' });
  [owner, external] = [await served.signIn(accounts.owner), await served.signIn(accounts.external)];
});
afterAll(() => served?.close());

const huge = 2.5 * 1024 ** 3;
const form = 'multipart/form-data; boundary=x';
const part = (name: string, file?: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ''}\r\n\r\n`;

interface Sent {
  readonly method?: string;
  readonly token?: string;
  readonly type?: string;
  /** Undefined: chunked. */
  readonly length?: number;
}

const headOf = (path: string, { method = 'POST', token, type = form, length }: Sent) =>
  [
    `${method} /api${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    'Connection: close',
    '\r\n',
  ].join('\r\n');

function mustRefuse(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, (JSON.parse(bodyOf(answer)) as { code: string }).code]).toEqual([status, code]);
  expect(answer.headers).toMatchObject({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}

/** Somewhat is read and forgotten, so that clients read the answer, and the system holds some. */
function mustBeCutOff(answer: RawAnswer): void {
  expect(answer.sent).toBeLessThan(100 * 1024 ** 2);
  if (answer.status) mustRefuse(answer, 413, 'TOO_LARGE');
}

/** The body, without the lengths of its chunks. */
const bodyOf = ({ text }: RawAnswer) => text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);

test('a call that needs no sign-in accepts no large body, and no form but that of a public form', async () => {
  expect(served.open.map(([, path]) => path)).toEqual(
    expect.arrayContaining(['/login', '/register', '/forgot-password', '/reset-password', '/confirm-address']),
  );
  const endless = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
  mustBeCutOff(await served.raw(headOf('/login', { type: 'application/json' }), endless));
  for (const [method, path] of served.open) {
    const answer = await served.raw(headOf(path, { method, length: huge }) + part('a', 'a.bin'));
    // Without an address that is open nothing of the form is read.
    if (path.startsWith('/public-forms/')) mustRefuse(answer, 404, 'NOT_FOUND');
    else mustRefuse(answer, 415, 'UNSUPPORTED_TYPE');
    mustRefuse(await served.raw(headOf(path, { method, length: huge, type: 'application/json' })), 413, 'TOO_LARGE');
  }
});

describe('a form of 2.5 GB', () => {
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'x'), Buffer.from('\r\n')]);
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const asOwner = () => ({ token: owner });

  test.each<[string, string, () => Sent, number, string]>([
    ['from nobody', '/screenings', () => ({ length: huge }), 401, 'UNAUTHENTICATED'],
    ['from who may not', '/users/import', () => ({ token: external, length: huge }), 403, 'FORBIDDEN'],
    ['for records without files', '/studios', () => ({ token: owner, length: huge }), 415, 'UNSUPPORTED_TYPE'],
    ['for a record', '/screenings', () => ({ token: owner, length: huge }), 413, 'TOO_LARGE'],
    ['for a stored record', '/screenings/1', () => ({ method: 'PUT', token: owner, length: huge }), 413, 'TOO_LARGE'],
    ['for an import', '/users/import', () => ({ token: owner, length: huge }), 413, 'TOO_LARGE'],
  ])('%s is refused by what it says of itself', async (_who, path, sent, status, code) => {
    const answer = await served.raw(headOf(path, sent()) + part('screenshot', 'a.png'));
    mustRefuse(answer, status, code);
    expect(served.uploads()).toEqual([]);
  });

  test.each([
    ['one file', part('screenshot', 'a.png')],
    ['one text', part('name')],
    ['no part at all', 'preamble'],
  ])('that comes in chunks is cut off as soon as it is too large: %s', async (_what, start) => {
    const answer = await served.raw(headOf('/screenings', asOwner()) + chunked(start), chunk);
    mustBeCutOff(answer);
    await vi.waitFor(() => expect(served.uploads()).toEqual([]));
  });

  test('of many small parts is limited in total', async () => {
    const many = Array.from({ length: 600 }, (_, index) => `${part(`f${index}`)}1\r\n`).join('');
    mustRefuse(await served.raw(headOf('/screenings', asOwner()) + chunked(many)), 413, 'TOO_LARGE');
    const files = [1, 2].map((index) => `${part(`f${index}`, 'a.png')}1\r\n`).join('');
    mustRefuse(await served.raw(headOf('/screenings', asOwner()) + chunked(files)), 413, 'TOO_LARGE');
  });
});

test('JSON with too many fields is rejected', async () => {
  const body = `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join(',')}}`;
  const head = headOf('/studios', { token: owner, length: body.length, type: 'application/json' });
  mustRefuse(await served.raw(head + body), 413, 'TOO_LARGE');
});

test.each<[string, () => string]>([
  ['a form', () => headOf('/screenings', { token: owner, length: 1_000 }) + part('screenshot', 'a.png') + 'half'],
  ['JSON', () => headOf('/studios', { token: owner, length: 1_000, type: 'application/json' }) + '{"name":'],
  ['JSON of a visitor', () => headOf('/login', { length: 1_000, type: 'application/json' }) + '{"email":'],
])('%s that stops half way is cut off, and leaves nothing', async (_what, text) => {
  mustRefuse(await served.raw(text()), 408, 'BAD_REQUEST');
  await vi.waitFor(() => expect(served.uploads()).toEqual([]));
});

test('each user can send a few forms at a time', async () => {
  const half = () => served.raw(headOf('/screenings', { token: owner, length: 1_000 }) + part('screenshot', 'a.png'));
  const answers = await Promise.all(Array.from({ length: 9 }, half));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(8).fill(408), 429]);
  await vi.waitFor(() => expect(served.uploads()).toEqual([]));
  const whole = `${part('name')}x\r\n--x--\r\n`;
  const length = Buffer.byteLength(whole);
  expect((await served.raw(headOf('/screenings', { token: owner, length }) + whole)).status).toBe(422);
});

test.each<[string, string, number, string]>([
  ['what is not HTTP', 'GARBAGE\r\n\r\n', 400, 'BAD_REQUEST'],
  [
    'two lengths',
    'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
  ['too many headers', `GET /api/studios HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'TOO_LARGE'],
  ['no host', 'GET /api/studios HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
  [
    'an address that cannot be read',
    'GET /api/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
  [
    'a parameter that is too long',
    `GET /api/studios/${'1'.repeat(300)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    400,
    'BAD_REQUEST',
  ],
  [
    'what is expected of it',
    'POST /api/login HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nContent-Length: 0\r\n\r\n',
    417,
    'BAD_REQUEST',
  ],
  ['a method of no route', 'PROPFIND /api/studios HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404, 'NOT_FOUND'],
])('%s is answered in the form and with the headers of every answer', async (_what, text, status, code) => {
  mustRefuse(await served.raw(text), status, code);
});

test('unfinished forms of one company leave slots for others', async () => {
  const people = [accounts.owner, accounts.manager, accounts.developer, accounts.qa, accounts.owner];
  const tokens: string[] = [];
  for (const email of people) tokens.push(await served.signIn(email));
  const half = tokens.flatMap((token) =>
    Array.from({ length: 9 }, () =>
      served.raw(headOf('/screenings', { token, length: 1_000 }) + part('screenshot', 'a.png')),
    ),
  );
  const whole = `${part('name')}x\r\n--x--\r\n`;
  const head = headOf('/screenings', {
    token: await served.signIn('owner@harbour.test'),
    length: Buffer.byteLength(whole),
  });
  expect((await served.raw(head + whole)).status).toBe(422);
  const statuses = (await Promise.all(half)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 408)).toHaveLength(32);
  expect(new Set(statuses)).toEqual(new Set([408, 429]));
});
