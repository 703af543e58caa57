// @module-tag slow
import { chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findBinaries } from '../../../src/server/database/embedded/binaries';
import { startEmbedded } from '../../../src/server/database/embedded/start-embedded';
import {
  bundleOwner,
  cleanUp,
  newFolder,
  NOBODY,
  query,
  runs,
  serverPid,
  startedFolder,
  startOwner,
  supervisorOf,
} from './programs';

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
let program: string;

beforeAll(async () => {
  const bundle = await bundleOwner();
  program = bundle.program;
  return bundle.remove;
});
afterEach(cleanUp);

describe('one program', () => {
  test('first start and warm start keep the data', async () => {
    const dataDir = join(newFolder(), 'data');
    const first = await startEmbedded({ dataDir, log, fast: true });
    await query(first.url, "create table kept as select 'yes' as answer");
    await first.stop();
    const second = await startEmbedded({ dataDir, log, fast: true });
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 'yes' }]);
    await second.stop();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
    expect(existsSync(join(dataDir, 'pg', 'postmaster.pid'))).toBe(false);
  });

  test('supports letters of every language, ICU order and trigrams', async () => {
    const database = await startEmbedded({ dataDir: await startedFolder(), log, fast: true });
    await query(database.url, 'create extension pg_trgm');
    const [row] = await query(
      database.url,
      `select 'ÄRGER' ilike '%ärg%' as folded, cardinality(show_trgm('Мир')) as trigrams,
         (select string_agg(x, '' order by x collate "und-x-icu") from unnest(array['b','A','ä','Z','a']) x) as ordered,
         current_setting('server_encoding') as encoding`,
    );
    expect(row).toEqual({ folded: true, trigrams: 4, ordered: 'aAäbZ', encoding: 'UTF8' });
    await database.stop();
  });

  test('accepts connections from this machine only, and only with the password', async () => {
    const dataDir = await startedFolder();
    const database = await startEmbedded({ dataDir, log, fast: true });
    const settings = "name in ('listen_addresses', 'unix_socket_directories', 'password_encryption')";
    const rows = await query(database.url, `select name, setting from pg_settings where ${settings} order by name`);
    expect(rows.map(({ setting }) => setting)).toEqual(['127.0.0.1', 'scram-sha-256', '']);
    const wrong = new URL(database.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect(statSync(join(dataDir, 'pg.password')).mode & 0o777).toBe(0o600);
    await database.stop();
  });

  test('fsync is on unless a test turns it off', async () => {
    const database = await startEmbedded({ dataDir: await startedFolder(), log });
    expect(await query(database.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await database.stop();
  });

  test('an unknown platform is referred to DATABASE_URL', () => {
    expect(() => findBinaries('sunos-x64')).toThrow(/^[^\n]*sunos-x64[^\n]*DATABASE_URL[^\n]*$/);
  });

  test('a database of another version is refused', async () => {
    const dataDir = newFolder();
    mkdirSync(join(dataDir, 'pg'));
    writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '15\n');
    writeFileSync(join(dataDir, 'pg.password'), 'x');
    await expect(startEmbedded({ dataDir, log })).rejects.toThrow(/was created by PostgreSQL 15/);
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });
});

describe('after an accident', () => {
  test('kill -9 of the program ends the server within seconds and keeps the data', async () => {
    const dataDir = await startedFolder();
    const killed = startOwner(program, dataDir);
    await query(await killed.url, 'create table kept as select 7 as answer');
    const server = serverPid(dataDir);
    killed.process.kill('SIGKILL');
    await vi.waitUntil(() => !runs(server));
    const again = startOwner(program, dataDir);
    expect(await query(await again.url, 'select answer from kept')).toEqual([{ answer: 7 }]);
  });

  test('a start right after kill -9 waits for the old server', async () => {
    const dataDir = await startedFolder();
    const killed = startOwner(program, dataDir);
    await query(await killed.url, 'create table kept as select 8 as answer');
    killed.process.kill('SIGKILL');
    await killed.ended;
    expect(await query(await startOwner(program, dataDir).url, 'select answer from kept')).toEqual([{ answer: 8 }]);
  });

  test('a server that crashed replays its log', async () => {
    const dataDir = await startedFolder();
    const owner = startOwner(program, dataDir, { safe: true });
    await query(await owner.url, 'create table kept as select 9 as answer');
    process.kill(serverPid(dataDir), 'SIGKILL');
    owner.process.kill('SIGTERM');
    expect(await owner.ended).toBe(0);
    expect(await query(await startOwner(program, dataDir).url, 'select answer from kept')).toEqual([{ answer: 9 }]);
  });

  test('an interrupted first start is repeated', async () => {
    const dataDir = newFolder();
    const interrupted = startOwner(program, dataDir);
    const unfinished = () => readdirSync(dataDir).some((name) => /^pg\.init-\d+$/.test(name));
    await vi.waitUntil(unfinished, { interval: 1 });
    interrupted.process.kill('SIGKILL');
    await interrupted.ended;
    expect(unfinished()).toBe(true);
    expect(await query(await startOwner(program, dataDir).url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(unfinished()).toBe(false);
  });

  test('a postmaster.pid and a lock whose ids now belong to other processes do not block the start', async () => {
    const dataDir = await startedFolder();
    const first = await startEmbedded({ dataDir, log, fast: true });
    await first.stop();
    writeFileSync(join(dataDir, 'pg', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'pg')}\n`);
    writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: process.pid, start: 'long ago' }));
    const second = await startEmbedded({ dataDir, log, fast: true });
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
  });

  test('a half-written lock does not block the start', async () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, 'lock'), '{"pid":');
    const database = await startEmbedded({ dataDir, log, fast: true });
    await database.stop();
    expect(readdirSync(dataDir).filter((name) => name.startsWith('lock'))).toEqual([]);
  });

  if (process.platform === 'linux') {
    test('a server whose supervisor and program are both killed ends by itself', async () => {
      const dataDir = await startedFolder();
      const owner = startOwner(program, dataDir);
      await query(await owner.url, 'create table kept as select 10 as answer');
      const server = serverPid(dataDir);
      owner.process.kill('SIGSTOP');
      process.kill(supervisorOf(server), 'SIGKILL');
      owner.process.kill('SIGKILL');
      await owner.ended;
      await vi.waitUntil(() => !runs(server));
      expect(await query(await startOwner(program, dataDir).url, 'select answer from kept')).toEqual([{ answer: 10 }]);
    });
  }
});

describe('two programs on one data folder', () => {
  test('the second is refused in one line, and the first continues', async () => {
    const dataDir = await startedFolder();
    const first = startOwner(program, dataDir);
    const url = await first.url;
    const second = startOwner(program, dataDir, { patience: 300 });
    await expect(second.url).rejects.toThrow(/^The data folder [^\n]+ is in use by another program[^\n]+$/);
    expect(await second.ended).toBe(1);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('the second waits for a first that is stopping', async () => {
    const dataDir = await startedFolder();
    const first = startOwner(program, dataDir);
    await first.url;
    const second = startOwner(program, dataDir);
    first.process.kill('SIGTERM');
    expect(await query(await second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await first.ended).toBe(0);
  });

  test('of several that start at once with a stale lock, one wins', async () => {
    const dataDir = await startedFolder();
    writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: 1, start: 'long ago' }));
    const all = [1, 2, 3, 4].map(() => startOwner(program, dataDir, { patience: 2_000 }));
    const results = await Promise.allSettled(all.map(({ url }) => url));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  });
});

if (process.getuid?.() === 0 && process.platform === 'linux') {
  describe('as root', () => {
    test('the server runs as another user', async () => {
      const dataDir = newFolder();
      const database = await startEmbedded({ dataDir, log, fast: true });
      expect(statSync(`/proc/${serverPid(dataDir)}`).uid).toBe(NOBODY);
      expect(statSync(join(dataDir, 'pg')).uid).toBe(NOBODY);
      await database.stop();
    });

    test('an ordinary user starts it directly, and root keeps their ownership', async () => {
      const dataDir = newFolder();
      chownSync(dataDir, NOBODY, NOBODY);
      const owner = startOwner(program, dataDir, { as: NOBODY });
      await query(await owner.url, 'create table kept as select 11 as answer');
      owner.process.kill('SIGTERM');
      expect(await owner.ended).toBe(0);
      const byRoot = startOwner(program, dataDir);
      expect(await query(await byRoot.url, 'select answer from kept')).toEqual([{ answer: 11 }]);
    });
  });
}
