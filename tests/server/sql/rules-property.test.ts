// @module-tag slow
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../../src/engine/access/actor';
import { allowedFields, isAllowedOnRecord } from '../../../src/engine/access/access-decision';
import { levels, type ResourceRecord } from '../../../src/engine/definitions/definition';
import { normalise } from '../../../src/engine/normalise/normalise';
import { createRegistry } from '../../../src/engine/registry/registry';
import type { RuleSource } from '../../../src/engine/language/source';
import { accessFilter, readableFields } from '../../../src/server/access/access-filter';
import { predicateToSql } from '../../../src/server/sql/predicate-to-sql';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { sourceOf } from '../../support/definitions';
import { syncTables } from '../../support/sync-tables';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.close());

const roles = ['warehouse', 'driver', 'guard'] as const;
const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const where = fc.oneof(
  fc.constantFrom<RuleSource['where']>(
    { created_by: '$actor.id' },
    { '$actor.role': 'driver' },
    { state: { $ne: 'lost' } },
    { $or: [{ state: 'packed' }, { '$actor.role': { $nin: ['driver', 'guard'] } }] },
    {},
  ),
);
const rules = fc.array(
  fc
    .record(
      {
        levels: some(levels),
        roles: some(roles),
        action: some(['list', 'view', 'edit'] as const),
        where,
        fields: some(['state', 'value']),
      },
      { requiredKeys: ['action'] },
    )
    .filter((rule) => rule.levels !== undefined || rule.roles !== undefined),
  { maxLength: 6 },
);
const actor = fc.record({
  level: fc.constantFrom(...levels),
  role: fc.option(fc.constantFrom(...roles), { nil: undefined }),
});
const rows: ResourceRecord[] = ['packed', 'sent', 'lost', null].flatMap((state, index) =>
  [7, 8].map((created_by, part) => ({ id: index * 2 + part + 1, site_id: 1, state, value: index, created_by })),
);

test(
  'rules by level and by role select the same rows and fields in memory and in SQL',
  { timeout: 60_000 },
  async () => {
    const around = { today: '2026-11-21', now: '2026-11-21T11:00:00.000Z' };
    const fields = { state: {}, value: { type: 'number' as const } };
    const definitionWith = (written: readonly RuleSource[]) =>
      normalise(sourceOf('crates', fields, { scope: 'company', rules: [...written], history: false }));
    const base = createRegistry([definitionWith([])]);
    await syncTables(own.database, base);
    for (const row of rows) await own.database.kysely.withSchema('public').insertInto('crates').values(row).execute();

    await fc.assert(
      fc.asyncProperty(rules, fc.array(actor, { minLength: 2, maxLength: 4 }), async (written, actors) => {
        const registry = createRegistry([definitionWith(written)]);
        const crates = registry.getOrThrow('crates');
        const permissions = { crates: ['list', 'view', 'edit'] as const };
        // Several actors on one definition, so that what is cached for one would show with another.
        for (const { level, role } of actors) {
          const who: Actor = { id: 7, role_id: 3, level, role, site_id: level === 1 ? null : 1, permissions };
          const evaluationContext = { actor: who, ...around };
          const context = { actor: who, registry, evaluationContext };
          for (const action of ['list', 'view'] as const) {
            const filter = predicateToSql(
              accessFilter(context, crates, action),
              crates,
              't',
              registry,
              evaluationContext,
            );
            const query = sql`select t.id from public.crates t where ${filter} order by t.id`;
            const bySql = (await own.database.query(query.compile(own.database.kysely))).map(({ id }) => id);
            const inMemory = rows.filter((row) => isAllowedOnRecord(who, crates, action, row, evaluationContext));
            expect(bySql, JSON.stringify({ written, level, role, action })).toEqual(inMemory.map(({ id }) => id));
            const { always, sometimes } = readableFields(who, crates, action);
            for (const row of inMemory) {
              const allowed = allowedFields(who, crates, action, row, evaluationContext);
              for (const name of ['state', 'value']) {
                if (always.has(name)) expect(allowed.has(name)).toBe(true);
                if (allowed.has(name)) expect(sometimes.has(name)).toBe(true);
              }
            }
          }
        }
      }),
      { numRuns: 60, endOnFailure: true },
    );
  },
);
