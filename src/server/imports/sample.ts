import { sql } from 'kysely';
import { grantedFields } from '../../engine/access/access-decision';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { sheetTypeOf, type Cell } from '../../engine/field-types';
import { importContextField } from '../../engine/imports/context-field';
import { importedFieldAt, importedPaths, labelAt } from '../../engine/imports/headings';
import { isRelation } from '../../engine/field-types/relation';
import type { RequestContext } from '../access/request-context';
import { titleSql } from '../sql/operands';
import { predicateToSql } from '../sql/predicate-to-sql';
import { xlsxSheet } from '../exports/sheet/xlsx';
import { parseGivenValues } from './import-request';
import { choiceFilter } from '../records/write/references';

/** Maximum number of values in a drop-down. */
const maxDropDownValues = 1_000;

/**
 * Creates a file with the headings that an import knows, an example row, and drop-downs with the values available in
 * the company. Values that depend on the requested relation are included once it is given.
 */
export async function createSampleFile(
  context: RequestContext,
  definition: Definition,
  query: Readonly<Record<string, unknown>>,
): Promise<Uint8Array> {
  const asked = importContextField(context.actor, definition);
  const named = asked && query[asked.name] !== undefined && query[asked.name] !== '';
  const { given, company } = named
    ? await parseGivenValues(context, definition, query)
    : { given: {}, company: context.actor.site_id };
  const allowed = grantedFields(context.actor, definition, 'create');
  const paths = definition.import!.columns.flatMap(({ field }) =>
    allowed.has(field) ? importedPaths(definition, field) : [],
  );
  const fields = paths.map((path) => importedFieldAt(definition, path)!);
  const choices: (readonly string[] | undefined)[] = [];
  for (const field of fields) choices.push(await dropDownValues(context, field, company, given));
  const sheet = xlsxSheet({
    title: definition.labels.many,
    headings: paths.map((path) => labelAt(definition, path)!),
    timeZone: context.timeZone,
    choices,
  });
  const row = sheet.rows([fields.map((field, index) => exampleCell(context, field, choices[index]))]);
  return Buffer.concat([row, sheet.end()]);
}

async function dropDownValues(
  context: RequestContext,
  field: Field,
  company: number | null,
  given: ResourceRecord,
): Promise<readonly string[] | undefined> {
  const fixed = sheetTypeOf(field).choices?.(field);
  if (fixed || !isRelation(field)) return fixed;
  const { registry, evaluationContext, program } = context;
  const target = registry.getOrThrow(field.to);
  const where = choiceFilter(context, field, company, given);
  const title = titleSql(target, 't', registry);
  const { rows } = await sql<{
    title: string;
  }>`select distinct ${title} as title from ${sql.id('public', target.table)} t
    where ${predicateToSql(where, target, 't', registry, evaluationContext)} and ${title} is not null
    order by 1 limit ${maxDropDownValues + 1}`.execute(program.database.kysely);
  return rows.length > 0 && rows.length <= maxDropDownValues ? rows.map((row) => row.title) : undefined;
}

function exampleCell({ today }: RequestContext, field: Field, choices: readonly string[] | undefined): Cell {
  if (choices && choices.length > 0) return choices[0]!;
  return sheetTypeOf(field).example?.(field, today) ?? null;
}
