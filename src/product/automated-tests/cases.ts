import { sql } from 'kysely';
import { accessFilter, assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import { Invalid } from '../../server/errors/errors';
import { insertRecord } from '../../server/records/write/create';
import { readRecord } from '../../server/records/read/read';
import { translateDatabaseErrors } from '../../server/records/write/row-writes';
import { assertNotArchived, lockRows } from '../../server/records/write/stored-row';
import { storeChanges } from '../../server/records/write/update';
import { predicateToSql } from '../../server/sql/predicate-to-sql';
import { testCases } from '../test-runs/definitions';
import { tests } from './definitions';
import { getOrThrow } from '../../engine/values/lookups';

/** A test case that was made from a test. */
export interface MadeCase {
  readonly automated_test_id: number;
  readonly test_case_id: number;
}

/**
 * `POST automated-tests/test-cases`: makes a test case of each test that has none, called like the test, and links them;
 * tests that have one stay as they are. Everything in one transaction. Throws Forbidden, or Invalid for a test that is not
 * there for the caller.
 */
export async function makeTestCases(
  context: RequestContext,
  ids: readonly number[],
): Promise<{ created: MadeCase[]; kept: number[] }> {
  const { registry, program } = context;
  const [definition, casesDefinition] = [registry.getOrThrow(tests), registry.getOrThrow(testCases)];
  assertGranted(context, casesDefinition, 'create');
  assertGranted(context, definition, 'edit');
  return translateDatabaseErrors(context, definition, () =>
    program.database.transaction(async (trx) => {
      const requestedIds = [...new Set(ids)];
      // Locked first: of two people who do this at once, the second finds the test cases of the first.
      const rows = await lockRows({ context, definition, trx }, requestedIds);
      const missingId = requestedIds.find((id) => !rows.has(id));
      if (missingId !== undefined) throw new Invalid({ tests: `There is no automated test ${missingId}.` });
      const [created, linkedIds]: [MadeCase[], number[]] = [[], []];
      for (const id of requestedIds) {
        const row = getOrThrow(rows, id);
        assertNotArchived(definition, row);
        const { values } = row;
        if (values.test_case_id !== null) {
          linkedIds.push(id);
          continue;
        }
        const location = [values.file, values.suite, values.parameters].filter((part) => part !== null).join(' › ');
        const content = {
          name: String(values.name).slice(0, casesDefinition.fields.name?.maxLength ?? 255),
          project_id: values.project_id,
          site_id: values.site_id,
          ...(location !== '' && { pre_conditions: `Automated: ${location}`.slice(0, 10_000) }),
        };
        const testCase = await insertRecord(
          { context, definition: casesDefinition, trx },
          { values: content, errors: {}, kept: [] },
        );
        const link = { values: { test_case_id: testCase }, errors: {}, kept: [] };
        await storeChanges({ context, definition, trx }, id, link, row);
        created.push({ automated_test_id: id, test_case_id: testCase });
      }
      return { created, kept: linkedIds };
    }),
  );
}

/** A test case that may be what a test automates; `similarity` in per cent. */
export interface SimilarCase {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
  readonly similarity: number;
}

/**
 * `GET automated-tests/{id}/similar-cases`: test cases of the project, the most similar first; with a text those whose key
 * or title has it. Throws Forbidden or NotFound.
 */
export async function findSimilarCases(
  context: RequestContext,
  id: number,
  text: string | undefined,
): Promise<SimilarCase[]> {
  const { registry, evaluationContext, program } = context;
  const test = await readRecord({ context, definition: registry.getOrThrow(tests) }, id);
  const definition = registry.getOrThrow(testCases);
  const visible = predicateToSql(
    accessFilter(context, definition, 'list'),
    definition,
    'c',
    registry,
    evaluationContext,
  );
  const name = String(test.name);
  const pattern = `%${(text ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const matchingTests =
    text === undefined
      ? sql`similarity(c.name, ${name}) > 0.3`
      : sql`(c.name ilike ${pattern} or c.key ilike ${pattern})`;
  const { rows } = await sql<SimilarCase>`select c.id, c.key, c.name,
      round(100 * similarity(c.name, ${name}))::integer as similarity
    from public.test_cases c where c.project_id = ${test.project_id as number} and ${matchingTests} and ${visible}
    order by similarity(c.name, ${name}) desc, c.id limit 8`.execute(program.database.kysely);
  return rows;
}
