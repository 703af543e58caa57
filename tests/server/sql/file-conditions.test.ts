// @module-tag slow
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkReferences } from '../../../src/engine/check/check-definitions';
import { compareValues, matchesPredicate, predicateOf } from '../../../src/engine/conditions/match-condition';
import { resolveVariables } from '../../../src/engine/conditions/variables';
import type { Condition, ResourceRecord } from '../../../src/engine/definitions/definition';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';
import { predicateToSql } from '../../../src/server/sql/predicate-to-sql';
import { sourceOf } from '../../support/definitions';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { syncTables } from '../../support/sync-tables';
import { evaluationContext } from './arbitraries';

const albums = sourceOf('albums', {
  name: { type: 'text' },
  cover: { type: 'image' },
  photos: { type: 'files' },
  parent_id: { type: 'relation', to: 'albums', embed: 'parent' },
  parts: { type: 'inverse', source: 'albums.parent_id' },
  is_bare: { type: 'boolean', computed: { photos: null, cover: null } },
});
const registry = createRegistry([normalise(albums)]);
const definition = registry.getOrThrow('albums');

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await syncTables(own.database, registry);
});
afterAll(() => own.close());

/** A file as it is stored, and as responses have it. */
const file = fc.constantFrom('a', '', 'null', '"', '[]', '😀').map((name) => ({ name, size: 1, type: 'image/png' }));
type File = { name: string; size: number; type: string };
const stored = (one: File) => ({ ...one, key: 'k.png' });
const answered = (one: File) => ({ ...one, url: '/api/files/k.png' });

const ids = [1, 2, 3, 4];
const rows = fc.tuple(
  ...ids.map((id) =>
    fc.record({
      id: fc.constant(id),
      name: fc.option(fc.constantFrom('a', 'b'), { nil: null }),
      cover: fc.option(file, { nil: null }),
      photos: fc.option(fc.array(file, { minLength: 1, maxLength: 3 }), { nil: null }),
      parent_id: fc.option(fc.constantFrom(...ids), { nil: null }),
    }),
  ),
);

/** Everything that a condition can ask of files: whether there are any, in each way that this can be written. */
const field = fc.constantFrom('cover', 'photos');
const present = fc.constantFrom<unknown>(
  null,
  { $eq: null },
  { $ne: null },
  { $exists: true },
  { $exists: false },
  { $in: [null] },
  { $nin: [null] },
);
const leaf = fc.oneof(
  fc.record({ field, present }).map((one): Condition => ({ [one.field]: one.present })),
  fc.constantFrom<Condition>({ name: 'a' }, { name: null }, { is_bare: true }, { is_bare: { $ne: true } }),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.array(tie('condition'), { maxLength: 3 }).map((of) => ({ $and: of })) },
    { weight: 1, arbitrary: fc.array(tie('condition'), { maxLength: 3 }).map((of) => ({ $or: of })) },
    { weight: 1, arbitrary: fc.array(tie('condition'), { maxLength: 2 }).map((of) => ({ $nor: of })) },
    { weight: 2, arbitrary: tie('condition').map((of) => ({ $not: of })) },
    {
      weight: 2,
      arbitrary: fc
        .record({ by: fc.constantFrom('parent_id', 'parts'), of: tie('condition') })
        .map(({ by, of }): Condition => ({ [by]: { $some: of } })),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ by: fc.constantFrom('parent_id', 'parts'), field, present })
        .map((one): Condition => ({ [`${one.by}.${one.field}`]: one.present })),
    },
  ),
}));

test('a condition on files selects the same records in memory and in SQL', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.array(condition, { minLength: 40, maxLength: 40 }), async (albumRows, conditions) => {
      await own.database.pool.query('truncate public.albums cascade');
      await own.database.transaction(async (trx) => {
        await sql`set constraints all deferred`.execute(trx);
        for (const { cover, photos, ...row } of albumRows) {
          const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
          const values = {
            ...row,
            cover: json(cover && stored(cover)),
            photos: json(photos && photos.map(stored)),
          };
          await trx.insertInto('albums').values(values).execute();
        }
      });
      const record = (row: (typeof albumRows)[number], depth: number): ResourceRecord => {
        const near = (of: typeof albumRows) => of.map((one) => (depth > 0 ? record(one, depth - 1) : { id: one.id }));
        return {
          ...row,
          cover: row.cover && answered(row.cover),
          photos: row.photos && row.photos.map(answered),
          is_bare: row.cover === null && row.photos === null,
          parent_id: near(albumRows.filter(({ id }) => id === row.parent_id) as typeof albumRows)[0] ?? null,
          parts: near(albumRows.filter(({ parent_id }) => parent_id === row.id) as typeof albumRows),
        };
      };
      const records = albumRows.map((row) => record(row, 4));
      for (const one of conditions) {
        const predicate = resolveVariables(predicateOf(one), evaluationContext, compareValues);
        const where = predicateToSql(predicate, definition, 't', registry, evaluationContext);
        const query = sql`select t.id from public.albums t where ${where} order by t.id`.compile(own.database.kysely);
        const bySql = (await own.database.query(query)).map(({ id }) => id);
        const inMemory = records.filter((each) => matchesPredicate(predicate, each)).map(({ id }) => id);
        expect(bySql, JSON.stringify(one)).toEqual(inMemory);
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test.each<[Condition, string | undefined]>([
  [{ photos: null }, undefined],
  [{ photos: { $exists: true }, cover: { $ne: null } }, undefined],
  [{ photos: { $gt: 1 } }, 'photos'],
  [{ cover: { $contains: 'a' } }, 'cover'],
  [{ photos: { name: 'a' } }, 'Unknown operator name'],
  [{ 'photos.name': 'a' }, 'photos'],
  [{ photos: { $some: {} } }, 'photos'],
])('%j: nothing else can be asked of files', (asked, refused) => {
  const fields = { ...albums.fields, is_asked: { type: 'boolean' as const, computed: asked as never } };
  const source = { ...albums, fields };
  let problems: string[];
  try {
    const found = checkReferences([{ source, definition: normalise(source) }]).get('albums') ?? [];
    problems = found.filter(({ path }) => path.includes('is_asked')).map(({ message }) => message);
  } catch (error) {
    problems = [String(error)];
  }
  if (refused === undefined) expect(problems).toEqual([]);
  else expect(problems.join()).toContain(refused);
});
