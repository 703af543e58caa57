import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchCondition } from '../../../src/server/sql/search';
import { columnSql } from '../../../src/server/sql/column-sql';
import { titleSql, UnstoredFieldError } from '../../../src/server/sql/operands';
import { predicateToSql } from '../../../src/server/sql/predicate-to-sql';
import { syncTables } from '../../support/sync-tables';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { registryOf, sourceOf } from '../../support/definitions';

const registry = registryOf(
  sourceOf('territories', { name: {} }),
  sourceOf(
    'people',
    {
      name: { computed: '{first_name} {last_name}' },
      first_name: {},
      last_name: {},
      territory_id: { type: 'relation', to: 'territories', embed: 'territory' },
      about: { type: 'richText' },
      password: { type: 'password' },
      rights: { type: 'permissions', virtual: true },
      friends: { type: 'relations', to: 'people' },
      called: { computed: '{name} of {territory.name}' },
    },
    { recordTitle: '{name}' },
  ),
);
const people = registry.getOrThrow('people');

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await syncTables(own.database, registry);
  await own.database.pool.query(`
    insert into territories (name) values ('Côte d''Ivoire');
    insert into people (first_name, last_name, about, password, territory_id) values
      ('Ärne', 'O_Brien', '<p class="wide">100% <b>g</b>ood</p><p>R&amp;D</p>', 'secret', 1),
      ('Jane', null, 'back\\slash', null, null),
      (null, 'Müller', null, null, null);
    insert into people__friends values (1, 3), (1, 2)`);
});
afterAll(() => own.close());

const rows = async (query: ReturnType<typeof sql>) => own.database.query(query.compile(own.database.kysely));

describe('search', () => {
  const find = async (text: string, readable?: ReadonlySet<string>) => {
    const where = searchCondition(people, 't', registry, text, readable);
    return (await rows(sql`select t.id from people t where ${where} order by t.id`)).map(({ id }) => id);
  };

  test.each<[string, number[]]>([
    ['jane', [2]],
    ['äRNE', [1]],
    ['ärne o_b', [1]],
    ['oxb', []],
    ['100%', [1]],
    ['0% g', [1]],
    ['good r&d', [1]],
    ['wide', []],
    ['\\s', [2]],
    ['secret', []],
    ["'; drop table people", []],
    ['a\0b', []],
    ['müll', [3]],
  ])('%j finds %j', async (text, ids) => {
    expect(await find(text)).toEqual(ids);
  });

  test('ignores fields that the caller may not read', async () => {
    expect(await find('müll', new Set(['first_name']))).toEqual([]);
    expect(await find('jane', new Set(['first_name']))).toEqual([2]);
    expect(await find('jane', new Set())).toEqual([]);
  });

  test('uses its index', async () => {
    const where = searchCondition(people, 't', registry, 'müller');
    await own.database.transaction(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      const plan = await sql`explain select t.id from people t where ${where}`.execute(trx);
      expect(JSON.stringify(plan.rows)).toMatch(/Bitmap Index Scan on \\"ix__people__search/);
    });
  });
});

describe('values', () => {
  test('titles and computed texts match those of the engine', async () => {
    const called = columnSql(people, people.fields.called!, 't', registry, null);
    expect(
      await rows(
        sql`select ${titleSql(people, 't', registry)} as title, ${called} as called from people t order by id`,
      ),
    ).toEqual([
      { title: 'Ärne O_Brien', called: "Ärne O_Brien of Côte d'Ivoire" },
      { title: 'Jane', called: 'Jane of' },
      { title: 'Müller', called: 'Müller of' },
    ]);
  });

  test('many-relation fields are arrays of ids, in order', async () => {
    const friends = columnSql(people, people.fields.friends!, 't', registry, null);
    expect(await rows(sql`select ${friends} as friends from people t order by id`)).toEqual([
      { friends: [2, 3] },
      { friends: [] },
      { friends: [] },
    ]);
  });

  test('fields that are not stored are refused', () => {
    expect(() => columnSql(people, people.fields.rights!, 't', registry, null)).toThrow(UnstoredFieldError);
    const compare = { kind: 'compare', left: 'rights', operator: '$eq', right: null } as const;
    expect(() => predicateToSql(compare, people, 't', registry, null)).toThrow('people.rights is not stored');
    expect(() => predicateToSql({ ...compare, left: 'nonsense' }, people, 't', registry, null)).toThrow(
      'no field named nonsense',
    );
  });
});
