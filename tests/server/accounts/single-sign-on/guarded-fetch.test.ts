import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { guardedFetch, type LookupAll } from '../../../../src/server/accounts/single-sign-on/guarded-fetch';

const known: Record<string, string[]> = {
  'inside.example': ['10.0.0.5'],
  'metadata.example': ['169.254.169.254'],
  'here.example': ['127.0.0.1'],
  'here6.example': ['::1'],
  'mapped.example': ['::ffff:192.168.1.1'],
  'local6.example': ['fd00::1', 'fe80::1'],
  'nat64.example': ['64:ff9b::a00:5'],
};

const resolve: LookupAll = (host, _options, done) =>
  done(
    null,
    known[host]!.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
const options = { method: 'GET', headers: {}, body: null, redirect: 'manual' } as const;

test.each(Object.keys(known))('a name that leads into a private network is not called: %s', async (host) => {
  await expect(guardedFetch(false, resolve)(`https://${host}/`, options)).rejects.toThrow(/must be public/);
});

test('redirects are not followed, and the response size is limited', async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url!);
    if (request.url === '/moved') return response.writeHead(302, { location: '/elsewhere' }).end();
    return response.end('x'.repeat(2 ** 21));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await guardedFetch(true)(`${here}/moved`, options)).status).toBe(302);
  await expect(guardedFetch(true)(`${here}/big`, options)).rejects.toThrow(/more than 1 MB/);
  expect(paths).toEqual(['/moved', '/big']);
  server.close();
});
