import { Type } from 'typebox';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { ResourceRecord } from '../engine/definitions/definition';
import { filesIn, isShownPicture } from '../engine/field-types/stored-files';
import { pictureNames } from '../engine/formats/markdown';
import { archiveFilter } from '../server/access/access-filter';
import { visibleTitleSql } from '../server/sql/operands';
import { predicateToSql } from '../server/sql/predicate-to-sql';
import { dataOf, defineCall, nullable, typedApi } from '../server/routing/define-call';
import type { Program } from '../server/program';
import { visitor } from '../server/records/write/share-link';
import { addFileUrls } from '../server/records/files/file-urls';
import { stepsOf } from './test-runs/pinned-case';
import { fieldOf } from '../engine/definitions/accessors';

/** Fields that a visitor sees as stored. */
const sharedFields = [
  'name',
  'description',
  'test_data',
  'pre_conditions',
  'steps_to_reproduce',
  'expected_result',
  'actual_result',
  'video_url',
  'screenshot',
] as const;

/** Relations that a visitor sees by title only, under the name used in authenticated responses. */
const sharedTitles = {
  module: 'project_module',
  sub_module: 'project_sub_module',
  type: 'type_id',
  task: 'task_id',
  action: 'action_performed',
  device: 'device_type',
  result: 'result_id',
  priority: 'priority_id',
  status: 'status_id',
  assign: 'assigned_to',
  created_by: 'created_by',
} as const;

const sharedCall = defineCall({
  id: 'sharable-test-case',
  tag: 'Test Cases',
  summary: 'Get the test case behind a public link, with names only; null if there is none',
  scope: 'public',
  body: Type.Object({ sharable_link: Type.String() }),
  answer: dataOf(nullable(Type.Object({}))),
});

/**
 * `POST sharable-test-case` `{sharable_link}`: the test case behind a public link, without authentication, names only.
 * An invalid link returns `{"data": null}`, so that nobody learns why.
 */
export function registerSharedTestCase(app: FastifyInstance, program: Program): void {
  typedApi(app).post('/sharable-test-case', sharedCall, async (request) => {
    return { data: await sharedTestCase(program, request.body.sharable_link) };
  });
}

async function sharedTestCase(program: Program, link: string): Promise<unknown> {
  if (!/^[\w-]{20,100}$/.test(link)) return null;
  const registry = program.definitions.registry();
  const definition = registry.getOrThrow('test-cases');
  const titleColumns = Object.entries(sharedTitles).map(([name, field]) => {
    const target = registry.getOrThrow(fieldOf(definition, field).to);
    const title = sql`select json_build_object(${sql.lit(target.titleField)}::text, ${visibleTitleSql(visitor, target, 'o', registry)})
      from ${sql.id('public', target.table)} o where o.id = ${sql.id('t', field)}`;
    return sql`(${title}) as ${sql.id(name)}`;
  });
  const files = definition.fields.attachments ? [sql.id('t', 'attachments')] : [];
  const visibleRows = predicateToSql(archiveFilter(registry, definition), definition, 't', registry, null);
  const { rows } = await sql<
    ResourceRecord & { id: number }
  >`select t.id, ${sql.join([...sharedFields.map((name) => sql.id('t', name)), ...files, ...titleColumns])}
    from ${sql.id('public', definition.table)} t where t.sharable_link collate "und-x-icu" = ${link} and ${visibleRows}`.execute(
    program.database.kysely,
  );
  addFileUrls(program, registry, definition, rows);
  const [sharedRow] = rows;
  if (!sharedRow) return null;
  const { id, attachments, ...sharedValues } = sharedRow;
  const steps = (await stepsOf(registry, [id], program.database.kysely)).get(id) ?? [];
  return { ...sharedValues, steps, pictures: picturesOfSteps(steps, attachments) };
}

/** The pictures among the attachments that the steps show; nothing else of the attachments is for visitors. */
function picturesOfSteps(steps: readonly ResourceRecord[], attachments: unknown): { name: string; url: string }[] {
  const pictures = new Set(steps.flatMap((step) => Object.values(step).flatMap((text) => pictureNames(String(text)))));
  return filesIn(attachments)
    .filter((file) => isShownPicture(file) && pictures.has(file.name))
    .map(({ name, url }) => ({ name, url }));
}
