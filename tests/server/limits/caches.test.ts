// @module-tag slow
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type pg from 'pg';
import { expect, test } from 'vitest';
import type { Definition } from '../../../src/engine/definitions/definition';
import type { Registry } from '../../../src/engine/registry/registry';
import { dayInTimeZone } from '../../../src/engine/formats/dates';
import { formatMoney } from '../../../src/engine/formats/money';
import { dayOf } from '../../../src/server/access/request-context';
import { accessCacheOf } from '../../../src/server/accounts/session/access-cache';
import type { Database } from '../../../src/server/database/database';
import { createPreparedSessions } from '../../../src/server/database/statements';
import { bytesOf, createByteCache, textId } from '../../../src/server/limits/byte-cache';
import { readsItself } from '../../../src/server/records/write/row-writes';
import { cachedStatement } from '../../../src/server/records/read/statement-cache';
import { QueryCache } from '../../../src/server/sql/query-cache';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A text of so many characters that nothing repeats, put together from small pieces as SQL is. */
function randomText(length: number): string {
  let text = '';
  while (text.length < length) text += `${Math.random().toString(36).slice(2)} `;
  return text;
}

const wideText = (length: number) => randomText(length).replaceAll(/[a-k]/g, '字');
const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);

/** How many megabytes are in use for what was done, while `kept` is. */
async function megabytesFor(act: () => Promise<unknown> | unknown, kept: readonly unknown[]): Promise<number> {
  collect();
  const before = process.memoryUsage().heapUsed;
  await act();
  // What was started has come to its end.
  await new Promise((done) => setImmediate(done));
  collect();
  const used = process.memoryUsage().heapUsed - before;
  expect(kept).toBeDefined();
  return megabytes(used);
}

async function repeat(times: number, act: (turn: number) => unknown): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    await act(turn);
    // Otherwise everything that is over would wait for its end.
    if (turn % 500 === 0) await new Promise((done) => setImmediate(done));
  }
}

const registry = { definitions: new Map(), version: 1 } as unknown as Registry;
const definition = { table: 'films' } as Definition;

/** A database that answers nothing, or rows. */
function fakeDatabase(rows: () => object[] = () => []): Database {
  const database = { query: async () => rows(), kysely: {}, listen: async () => undefined, isListening: () => true };
  return Object.assign(database, { root: database }) as unknown as Database;
}

/** Each cache, with the megabytes that it may use, and how to fill it with what nobody asked for before. */
const caches: readonly (readonly [
  name: string,
  limit: number,
  fill: () => readonly [kept: unknown, act: () => Promise<unknown>],
])[] = [
  [
    'texts put together from pieces',
    5,
    () => {
      const cache = createByteCache<string>(5_000_000);
      return [cache, () => repeat(6_000, () => cache.set(randomText(1_000), randomText(1_000)))];
    },
  ],
  [
    'texts of wide characters',
    5,
    () => {
      const cache = createByteCache<string>(5_000_000);
      return [cache, () => repeat(6_000, () => cache.set(wideText(500), wideText(500)))];
    },
  ],
  ['names of texts', 8, () => [undefined, () => repeat(10_000, () => textId(randomText(2_000)))]],
  [
    'pages and totals by the text of a search',
    12,
    () => {
      const totals = new QueryCache(
        fakeDatabase(() => [{ ids: Array.from({ length: 100 }, (_, id) => id * 7), total: 7 }]),
      );
      const sql = `select array(select 1) as ids, 7 as total /* ${randomText(6_000)} */`;
      return [totals, () => repeat(30_000, () => totals.rows({ sql, parameters: [randomText(100)] }, registry))];
    },
  ],
  [
    'groups of charts',
    12,
    () => {
      const groups = () => Array.from({ length: 200 }, () => ({ name: randomText(40), total: 1.5, day: null }));
      const totals = new QueryCache(fakeDatabase(groups));
      return [
        totals,
        () => repeat(1_500, (turn) => totals.rows({ sql: 'select groups', parameters: [turn] }, registry)),
      ];
    },
  ],
  [
    'compiled statements',
    24,
    () => {
      const database = fakeDatabase();
      // What a statement is cached for is a database, or a request on it.
      const place = Object.assign(database, { program: { database } }) as never;
      const compile = () => ({ sql: randomText(6_000), parameters: [] });
      const act = () => repeat(5_000, () => cachedStatement(place, randomText(3_000), () => ({ compile }) as never));
      return [database, act];
    },
  ],
  [
    'names of prepared statements',
    12,
    () => {
      const client = { query: async () => ({ fields: [], rows: [] }), release: () => undefined };
      const pool = { connect: async () => client } as unknown as pg.Pool;
      const sessions = createPreparedSessions(pool, {
        onUnknown: () => undefined,
        patience: Infinity,
        prepare: true,
        connections: 1,
      });
      return [
        sessions,
        async () => {
          const session = await sessions.session();
          await repeat(6_000, () => session.query(`select ${randomText(4_000)}`));
        },
      ];
    },
  ],
  [
    'what statements read of the rows that they write',
    10,
    () => [
      undefined,
      () => repeat(6_000, () => readsItself(definition, { sql: randomText(3_000), parameters: [] }, new Set())),
    ],
  ],
  [
    'who is behind a token',
    16,
    () => {
      const cache = accessCacheOf(fakeDatabase());
      const roles = () => Array.from({ length: 12 }, () => ({ key: randomText(10), name: randomText(30), level: 2 }));
      const load = async (id: number) =>
        ({
          actor: { id, role_id: 1, level: 2, site_id: 1, permissions: {}, roles: roles() },
          endsAt: Infinity,
        }) as never;
      return [cache, () => repeat(20_000, (id) => cache.get(randomText(40), () => load(id)))];
    },
  ],
];

test.each(caches)('%s take no more than %i megabytes', async (_name, limit, fill) => {
  const [kept, act] = fill();
  const used = await megabytesFor(act, [kept]);
  // What was there before may be gone.
  expect(used).toBeGreaterThan(limit * 0.3 - 8);
  expect(used).toBeLessThanOrEqual(Math.ceil(limit * 1.1) + 2);
});

test('an entry is measured with its key, and one that is larger than the cache is not kept', () => {
  const cache = createByteCache<object>(2_000);
  cache.set('small', { text: 'some text', number: 1 });
  cache.set('large', { text: randomText(3_000) });
  expect([cache.has('small'), cache.has('large')]).toEqual([true, false]);
  expect(cache.calculatedSize).toBeGreaterThan(200 + bytesOf('some text'));
});

test('a text has the same name as long as it is used, and no other text has it', () => {
  const [one, other] = [randomText(50), randomText(50)];
  expect([textId(one), textId(other)]).toEqual([textId(one), textId(other)]);
  expect(textId(one)).not.toBe(textId(other));
});

/** A zone as nobody else writes it: `eUrOpe/bErLin`. */
function spelled(zone: string, turn: number): string {
  let bit = 0;
  return zone.replaceAll(/[a-z]/gi, (letter) => ((turn >> bit++) & 1 ? letter.toUpperCase() : letter.toLowerCase()));
}

test('formats of time zones in any spelling, and of currencies, are kept for the last hundred', async () => {
  const made: WeakRef<object>[] = [];
  const { DateTimeFormat, NumberFormat } = Intl;
  // A spy would keep what it returned.
  const counting = <Format extends object>(format: Format) =>
    new Proxy(format, {
      construct(target, options) {
        const one = Reflect.construct(target as never, options) as object;
        made.push(new WeakRef(one));
        return one;
      },
    });
  Object.assign(Intl, { DateTimeFormat: counting(DateTimeFormat), NumberFormat: counting(NumberFormat) });
  const instant = new Date('2026-11-28T12:00:00Z');
  await repeat(600, (turn) => {
    const zone = spelled('Europe/Berlin', turn);
    expect([dayOf(instant.toISOString(), zone), dayInTimeZone(zone, instant)]).toEqual(['2026-11-28', '2026-11-28']);
    const letters = [turn % 26, Math.floor(turn / 26) % 26, 7].map((index) => String.fromCharCode(65 + index));
    expect(formatMoney(1, letters.join(''), 2)).toContain('1.00');
  });
  Object.assign(Intl, { DateTimeFormat, NumberFormat });
  // Of the first spelling other tests may have used a format.
  expect(made.length).toBeGreaterThan(4 * 600 - 10);
  await new Promise((done) => setImmediate(done));
  collect();
  expect(made.filter((one) => one.deref()).length).toBeLessThanOrEqual(100 + 2 * 50 + 100);
});
