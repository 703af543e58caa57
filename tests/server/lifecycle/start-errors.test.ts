// @module-tag slow
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { awaitDatabase } from '../../../src/server/database/await-database';
import { describeConnectionError } from '../../../src/server/database/connection-errors';
import { freePort } from '../../../src/server/database/embedded/free-port';
import { startEmbedded } from '../../../src/server/database/embedded/start-embedded';
import { toFolderError, createDataFolder } from '../../../src/server/lifecycle/data-folder';
import { startOnFixture } from '../../support/demo';
import { bundleOwner, cleanUp, newFolder, NOBODY, query, startOwner } from '../embedded/programs';

const silent = { info: () => undefined, warn: vi.fn(), error: () => undefined };
const servers: Server[] = [];
const secret = 'very-secret-1';
const stays = new AbortController().signal;

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  silent.warn.mockClear();
  await cleanUp();
});

/** A server on this machine that is none of PostgreSQL's. */
async function other(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    answer(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  servers.push(server);
  return (server.address() as { port: number }).port;
}

const at = (changes: Readonly<Record<string, string>>): string =>
  Object.assign(new URL(inject('serverUrl')), changes).href;

describe('DATABASE_URL', () => {
  beforeAll(async () => {
    await query(inject('serverUrl'), `create role outsider login password '${secret}'`);
    await query(inject('serverUrl'), 'create database closed_database');
    await query(
      inject('serverUrl'),
      "create database latin_database encoding 'LATIN1' locale_provider libc locale 'C' template template0",
    );
  });
  afterAll(async () => {
    await query(inject('serverUrl'), 'drop database closed_database');
    await query(inject('serverUrl'), 'drop database latin_database');
    await query(inject('serverUrl'), 'drop role outsider');
  });

  const cases: [string, () => Promise<string> | string, RegExp][] = [
    ['a wrong password', () => at({ password: secret }), /the password of the user \S+ is wrong/],
    ['an unknown user', () => at({ username: 'nobody', password: secret }), /the password of the user nobody is wrong/],
    ['no password', () => at({ password: '' }), /password/],
    ['a missing database', () => at({ pathname: '/missing' }), /there is no database missing .+ create it/],
    [
      'an unknown host',
      () => at({ hostname: 'no-such-host.invalid', password: secret }),
      /the host no-such-host\.invalid is unknown/,
    ],
    [
      'a port where nothing listens',
      async () => at({ port: String(await freePort()) }),
      /nothing accepts connections at 127\.0\.0\.1:\d+/,
    ],
    [
      'a web server',
      async () =>
        at({
          port: String(
            await other((socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))),
          ),
        }),
      /does not respond like PostgreSQL/,
    ],
    [
      'a server of another kind, which speaks first',
      async () => at({ port: String(await other((socket) => socket.write('J\0\0\0\n8.0.36\0'))) }),
      /does not respond like PostgreSQL/,
    ],
    [
      'a database that has not all characters',
      () => at({ pathname: '/latin_database' }),
      /stores texts in LATIN1, .+ create another one with: create database assay encoding 'UTF8' template template0/,
    ],
    ['TLS where there is none', () => at({ search: 'sslmode=require' }), /does not support TLS/],
  ];

  test.each(cases)('%s is reported in one line that names the setting', async (_case, prepare, words) => {
    const url = await prepare();
    const error = await awaitDatabase(url, 0, pino({ level: 'silent' }), stays).catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error!.message).toMatch(/^DATABASE_URL: [^\n]+$/);
    expect(error!.message).toMatch(words);
    expect(error!.message).not.toContain(secret);
    expect(error!.message).not.toContain(new URL(url).password || secret);
  });

  test.each([
    ['28000', /sslmode=require/, false],
    ['57P03', /is starting or stopping/, true],
    ['53300', /no free connection/, true],
    ['25006', /read-only: use the address of the primary/, true],
    ['0A000', /lacks the extension pg_trgm/, false],
    ['ETIMEDOUT', /cannot be reached/, true],
  ])('%s is told in words, and waited for where that may help', async (code, words, mayPass) => {
    const error = Object.assign(new Error(`with ${secret}`), { code });
    const fault = await describeConnectionError(error, `postgres://me:${secret}@db.test/assay`);
    expect(fault).toEqual({ words: expect.stringMatching(words), mayPass });
    expect(fault.words).not.toContain(secret);
  });

  test('the error for a user without rights says what to grant', async () => {
    const url = at({ username: 'outsider', password: secret, pathname: '/closed_database' });
    await expect(startOnFixture(url)).rejects.toThrow(
      /^DATABASE_URL: the user outsider is not allowed to create what Assay needs in the database closed_database: [^\n]+$/,
    );
  });

  test('the start waits for a server that comes up later, and logs it once', async () => {
    const warn = vi.fn();
    const port = await freePort();
    const url = at({ port: String(port) });
    const waiting = awaitDatabase(url, 20_000, { warn } as unknown as pino.Logger, stays);
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(1));
    expect(warn.mock.calls[0]![0]).toMatch(
      /^DATABASE_URL: nothing accepts connections at .+; waiting up to \d+ s for it$/,
    );
    const target = new URL(inject('serverUrl'));
    const proxy = createServer((near) => {
      const far = connect(Number(target.port), target.hostname);
      near.pipe(far).on('error', () => near.destroy());
      far.pipe(near).on('error', () => far.destroy());
    });
    servers.push(proxy);
    await new Promise<void>((done) => proxy.listen(port, '127.0.0.1', done));
    await waiting;
  });

  test('a signal ends a waiting start at once', async () => {
    const stop = new AbortController();
    const url = at({ port: String(await freePort()) });
    const waiting = awaitDatabase(url, 60_000, pino({ level: 'silent' }), stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
  });
});

describe('DATA_DIR', () => {
  /** A data folder whose database says that it was made by this version. */
  function made(version?: string): string {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'pg'));
    writeFileSync(join(dataDir, 'pg.password'), 'x');
    if (version !== undefined) writeFileSync(join(dataDir, 'pg/PG_VERSION'), version);
    return dataDir;
  }

  test.each<[string, () => string | Promise<string>, RegExp]>([
    ['below /proc', () => '/proc/assay/data', /^DATA_DIR: \/proc\/assay cannot be used: /],
    [
      'below a file',
      () => {
        const file = join(newFolder(), 'file');
        writeFileSync(file, '');
        return join(file, 'data');
      },
      /^DATA_DIR: \S+ cannot be used: a file is where a folder should be/,
    ],
    [
      'with a folder in place of its password',
      () => {
        const dataDir = newFolder();
        mkdirSync(join(dataDir, 'pg.password'));
        return dataDir;
      },
      /^DATA_DIR: .+ a folder is where a file should be/,
    ],
    [
      'without PG_VERSION',
      () => made(),
      /^DATA_DIR: \S+ is not a complete database: its file PG_VERSION is missing\. .+/,
    ],
    ['with an empty PG_VERSION', () => made(''), /PG_VERSION is missing/],
    [
      'of another version',
      () => made('15\n'),
      /^DATA_DIR: \S+ was created by PostgreSQL 15, but this program includes 18\. .+/,
    ],
  ])('%s is refused in one line', async (_case, prepare, words) => {
    const dataDir = await prepare();
    const error = (await startEmbedded({ dataDir, log: silent, fast: true }).catch((reason: Error) => reason)) as Error;
    expect(error.message).toMatch(words);
    expect(error.message).not.toContain('\n');
  });

  test('a folder that only root can write to is rejected in one line', async () => {
    const { program, remove } = await bundleOwner();
    const dataDir = newFolder();
    const asRoot = process.getuid?.() === 0;
    chmodSync(dataDir, asRoot ? 0o755 : 0o500);
    if (asRoot) chownSync(dataDir, 0, 0);
    const owner = startOwner(program, join(dataDir, 'data'), asRoot ? { as: NOBODY } : {});
    await expect(owner.url).rejects.toThrow(/^DATA_DIR: \S+ cannot be used: this user cannot write there[^\n]+$/);
    remove();
    chmodSync(dataDir, 0o700);
  });

  test.each([
    ['ENOSPC', 'its disk is full'],
    ['EROFS', 'mounted read-only'],
    ['EDQUOT', 'quota'],
  ])('%s is told in words', (code, words) => {
    const error = Object.assign(new Error(code), { code, path: '/srv/assay/pg.log' });
    expect((toFolderError(error, '/srv/assay') as Error).message).toMatch(
      new RegExp(`^DATA_DIR: .*${words}.*\\(${code}\\)$`),
    );
    const elsewhere = Object.assign(new Error(code), { code, path: '/other' });
    expect(toFolderError(elsewhere, '/srv/assay')).toBe(elsewhere);
  });

  test('nested folders are created', () => {
    const dataDir = join(newFolder(), 'a/b/c');
    createDataFolder(dataDir);
    createDataFolder(dataDir);
  });

  test('an empty or malformed postmaster.pid does not prevent the start', async () => {
    const dataDir = newFolder();
    await (await startEmbedded({ dataDir, log: silent, fast: true })).stop();
    for (const text of ['', 'no number\n']) {
      writeFileSync(join(dataDir, 'pg/postmaster.pid'), text);
      const database = await startEmbedded({ dataDir, log: silent, fast: true });
      expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      await database.stop();
    }
    const removed = expect.stringMatching(/postmaster\.pid could not be read and was removed$/);
    expect(silent.warn.mock.calls.flat()).toEqual([removed, removed]);
  });
});
