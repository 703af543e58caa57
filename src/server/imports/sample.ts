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
import { importOf } from '../../engine/definitions/accessors';
import { firstOf, requireValue } from '../../engine/values/lookups';

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
  const contextField = importContextField(context.actor, definition);
  const isGiven = contextField && query[contextField.name] !== undefined && query[contextField.name] !== '';
  const { givenValues, company } = isGiven
    ? await parseGivenValues(context, definition, query)
    : { givenValues: {}, company: context.actor.site_id };
  const grantedNames = grantedFields(context.actor, definition, 'create');
  const paths = importOf(definition).columns.flatMap(({ field }) =>
    grantedNames.has(field) ? importedPaths(definition, field) : [],
  );
  const fields = paths.map((path) => requireValue(importedFieldAt(definition, path), `the imported field ${path}`));
  const choices: (readonly string[] | undefined)[] = [];
  for (const field of fields) choices.push(await dropDownValues(context, field, company, givenValues));
  const sheet = xlsxSheet({
    title: definition.labels.many,
    headings: paths.map((path) => requireValue(labelAt(definition, path), `the label of ${path}`)),
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
  givenValues: ResourceRecord,
): Promise<readonly string[] | undefined> {
  const fixedChoices = sheetTypeOf(field).choices?.(field);
  if (fixedChoices || !isRelation(field)) return fixedChoices;
  const { registry, evaluationContext, program } = context;
  const target = registry.getOrThrow(field.to);
  const condition = choiceFilter(context, field, company, givenValues);
  const title = titleSql(target, 't', registry);
  const { rows } = await sql<{
    title: string;
  }>`select distinct ${title} as title from ${sql.id('public', target.table)} t
    where ${predicateToSql(condition, target, 't', registry, evaluationContext)} and ${title} is not null
    order by 1 limit ${maxDropDownValues + 1}`.execute(program.database.kysely);
  return rows.length > 0 && rows.length <= maxDropDownValues ? rows.map((row) => row.title) : undefined;
}

function exampleCell({ today }: RequestContext, field: Field, choices: readonly string[] | undefined): Cell {
  if (choices && choices.length > 0) return firstOf(choices);
  return sheetTypeOf(field).example?.(field, today) ?? null;
}
