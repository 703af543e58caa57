// @module-tag slow
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareValues, matchesPredicate, predicateOf } from '../../../src/engine/conditions/match-condition';
import { resolveVariable, resolveVariables, type EvaluationContext } from '../../../src/engine/conditions/variables';
import type { Condition, Definition, ResourceRecord } from '../../../src/engine/definitions/definition';
import { fillTemplate } from '../../../src/engine/definitions/labels';
import { rowDefinition, rowsFields } from '../../../src/engine/field-types/row-definition';
import { createRegistry, type Registry } from '../../../src/engine/registry/registry';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { RequestContext } from '../../../src/server/access/request-context';
import { cachedStatement, conditionKey } from '../../../src/server/records/read/statement-cache';
import { predicateToSql } from '../../../src/server/sql/predicate-to-sql';
import { resolveCondition, toZoneText, zoneParameterName } from '../../../src/server/sql/statement-parameter';
import { syncTables } from '../../support/sync-tables';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import {
  conditions,
  definitions,
  lineConditions,
  lines,
  rows,
  evaluationContext,
  laterContext,
  withLines,
  type Rows,
} from './arbitraries';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.close());

/** Every table of the registry anew, with these rows. */
async function store(registry: Registry, stored: Rows): Promise<void> {
  await own.database.pool.query('drop table if exists alpha, alpha__tags, beta, beta__tags cascade');
  own.database.forgetPreparedStatements();
  await syncTables(own.database, registry);
  await own.database.transaction(async (trx) => {
    await sql`set constraints all deferred`.execute(trx);
    for (const definition of registry.definitions.values()) {
      for (const { tags, ...row } of stored[definition.name]!) {
        await trx.insertInto(definition.table).values(row).execute();
        for (const target of tags as number[]) {
          await trx.insertInto(`${definition.table}__tags`).values({ record_id: row.id, target_id: target }).execute();
        }
      }
    }
  });
}

/** The records as an answer would hold them, related ones in full for as many steps as a condition may take. */
function answered(
  registry: Registry,
  stored: Rows,
  definition: Definition,
  depth: number,
  around = evaluationContext,
): ResourceRecord[] {
  return stored[definition.name]!.map((row) => record(registry, stored, definition, row, depth, around));
}

function record(
  registry: Registry,
  stored: Rows,
  definition: Definition,
  row: ResourceRecord,
  depth: number,
  around: EvaluationContext,
): ResourceRecord {
  const result: ResourceRecord = { ...row };
  const related = (name: string, ids: readonly unknown[]) =>
    ids.map((id) => {
      const found = stored[name]!.find((one) => one.id === id)!;
      return depth > 0 ? record(registry, stored, registry.getOrThrow(name), found, depth - 1, around) : { id };
    });
  for (const field of Object.values(definition.fields)) {
    if (typeof field.computed === 'string') result[field.name] = fillTemplate(field.computed, row);
    else if (field.computed) {
      result[field.name] = matchesPredicate(resolveVariables(predicateOf(field.computed), around, compareValues), row);
    } else if (field.type === 'relation' && field.name in row) {
      result[field.name] = row[field.name] === null ? null : related(field.to!, [row[field.name]])[0];
      if (field.embed !== undefined) result[field.embed] = result[field.name];
    } else if (field.type === 'relations') result[field.name] = related(field.to!, row[field.name] as number[]);
    else if (field.inverse) {
      const { resource, field: back } = field.inverse;
      const pointing = stored[resource]!.filter((one) => [one[back]].flat().includes(row.id));
      result[field.name] = related(
        resource,
        pointing.map(({ id }) => id),
      );
      result[field.countName] = pointing.length;
    }
  }
  return result;
}

async function chosenBySql(registry: Registry, definition: Definition, condition: Condition): Promise<unknown[]> {
  const where = predicateToSql(
    resolveCondition(condition, evaluationContext),
    definition,
    't',
    registry,
    evaluationContext,
  );
  const query = sql`select t.id from ${sql.id('public', definition.table)} t where ${where} order by t.id`;
  return (await own.database.query(query.compile(own.database.kysely))).map(({ id }) => id);
}

/** The same by a statement that is cached for the shape of the condition, and bound to the values of a context. */
async function chosenByCachedStatement(
  registry: Registry,
  definition: Definition,
  condition: Condition,
  around: EvaluationContext,
): Promise<unknown[]> {
  const context = {
    program: { database: own.database },
    registry,
    evaluationContext: around,
    actor: { permissions: {}, ...around.actor },
    parameterValue: (name: string) =>
      name === zoneParameterName ? toZoneText(around.timeZone!) : resolveVariable(name, around),
  } as unknown as RequestContext;
  const where = resolveCondition(condition, around);
  const key = `property|${JSON.stringify(condition)}|${conditionKey(context, definition, where)}`;
  const statement = cachedStatement(
    context,
    key,
    () => sql`select t.id from ${sql.id('public', definition.table)} t
      where ${predicateToSql(where, definition, 't', registry, around)} order by t.id`,
  );
  return (await own.database.query(statement)).map(({ id }) => id);
}

test('a condition selects the same rows in memory and in SQL', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      definitions.chain((sources) => fc.record({ sources: fc.constant(sources), rows: rows(sources) })),
      fc.gen(),
      async ({ sources, rows: stored }, gen) => {
        const registry = createRegistry(sources.map(normalise));
        await store(registry, stored);
        for (const definition of registry.definitions.values()) {
          const records = answered(registry, stored, definition, 3);
          for (let n = 0; n < 60; n++) {
            const condition = gen(conditions, definition, registry, stored);
            const predicate = resolveVariables(predicateOf(condition), evaluationContext, compareValues);
            const inMemory = records.filter((one) => matchesPredicate(predicate, one)).map(({ id }) => id);
            expect(await chosenBySql(registry, definition, condition), JSON.stringify(condition)).toEqual(inMemory);
          }
        }
      },
    ),
    { numRuns: 10, endOnFailure: true },
  );
});

let version = 1;

test('a cached statement selects for every caller and time what the condition does in memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      definitions.chain((sources) => fc.record({ sources: fc.constant(sources), rows: rows(sources) })),
      fc.gen(),
      async ({ sources, rows: stored }, gen) => {
        // Statements are cached by the version of definitions, which grows with every change of theirs.
        const registry = createRegistry(sources.map(normalise), ++version);
        await store(registry, stored);
        for (const definition of registry.definitions.values()) {
          for (let n = 0; n < 40; n++) {
            const condition = gen(conditions, definition, registry, stored);
            for (const around of [evaluationContext, laterContext]) {
              const predicate = resolveVariables(predicateOf(condition), around, compareValues);
              const records = answered(registry, stored, definition, 3, around);
              const inMemory = records.filter((one) => matchesPredicate(predicate, one)).map(({ id }) => id);
              const chosen = await chosenByCachedStatement(registry, definition, condition, around);
              expect(chosen, JSON.stringify(condition)).toEqual(inMemory);
            }
          }
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
});

test(
  'a condition on the rows of records selects the same records in memory and in SQL',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        withLines.chain((source) => fc.record({ source: fc.constant(source), stored: lines(source) })),
        fc.gen(),
        async ({ source, stored }, gen) => {
          const registry = createRegistry([normalise(source)]);
          const gamma = registry.getOrThrow('gamma');
          const ofRows = rowDefinition(gamma, rowsFields(gamma)[0]!);
          await own.database.pool.query('drop table if exists gamma, gamma__lines cascade');
          own.database.forgetPreparedStatements();
          await syncTables(own.database, registry);
          const records = stored.map((list, index) => ({ id: index + 1, lines: list, lines_count: list.length }));
          await own.database.transaction(async (trx) => {
            for (const { id, lines: list } of records) {
              await trx.insertInto('gamma').values({ id }).execute();
              for (const [position, row] of list.entries())
                await trx
                  .insertInto(ofRows.table)
                  .values({ ...row, parent_id: id, position })
                  .execute();
            }
          });
          for (let n = 0; n < 60; n++) {
            const condition = gen(lineConditions, ofRows, stored.flat());
            const predicate = resolveVariables(predicateOf(condition), evaluationContext, compareValues);
            const inMemory = records.filter((one) => matchesPredicate(predicate, one)).map(({ id }) => id);
            expect(await chosenBySql(registry, gamma, condition), JSON.stringify(condition)).toEqual(inMemory);
          }
        },
      ),
      { numRuns: 10, endOnFailure: true },
    );
  },
);
