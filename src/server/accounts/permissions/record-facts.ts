import { sql } from 'kysely';
import { predicateOf } from '../../../engine/conditions/match-condition';
import type { Predicate } from '../../../engine/conditions/grammar';
import { joinNames } from '../../../engine/formats/join-names';
import type { Definition, Field, Rule } from '../../../engine/definitions/definition';
import { isRelations } from '../../../engine/field-types/relations';
import type { RecordScope } from '../../access/record-scope';
import type { RequestContext } from '../../access/request-context';
import { columnSql } from '../../sql/column-sql';
import { visibleTitleSql } from '../../sql/operands';
import { lastOf } from '../../../engine/values/lookups';

const actorId = '$actor.id';
const maxNames = 3;

/** The users of a record that rules refer to. */
export interface RecordFacts {
  /** Sentences such as `Task 418 was created by Maya Lindqvist.` */
  readonly text: string;
  /** Their ids. */
  readonly people: readonly number[];
}

/** The facts of a record that rules compare with the actor. */
export async function loadRecordFacts(scope: RecordScope, rules: readonly Rule[], id: number): Promise<RecordFacts> {
  const paths = rules.flatMap(({ where: condition }) => (condition ? actorPaths(predicateOf(condition)) : []));
  const distinct = [...new Map(paths.map((path) => [path.join('.'), path])).values()];
  const facts = await Promise.all(distinct.map((path) => loadFact(scope, path, id)));
  const existingFacts = facts.filter((fact) => fact !== undefined);
  return {
    text: existingFacts.map(({ text }) => text).join(' '),
    people: [...new Set(existingFacts.flatMap(({ people }) => people))],
  };
}

/** The paths of fields that a rule compares with the actor. */
function actorPaths(predicate: Predicate, parentPath: readonly string[] = []): (readonly string[])[] {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.of.flatMap((operand) => actorPaths(operand, parentPath));
    case 'not':
      return actorPaths(predicate.of, parentPath);
    case 'some':
      return actorPaths(predicate.of, [...parentPath, predicate.field]);
    case 'compare':
      return predicate.right === actorId ? [[...parentPath, predicate.left]] : [];
  }
}

interface RecordSet {
  readonly definition: Definition;
  readonly ids: readonly number[];
}

async function loadFact(
  { context, definition }: RecordScope,
  path: readonly string[],
  id: number,
): Promise<{ text: string; people: readonly number[] } | undefined> {
  const fields = resolvePath(context, definition, path);
  if (!fields) return undefined;
  let recordSet: RecordSet = { definition, ids: [id] };
  for (const field of fields.slice(0, -1)) recordSet = await followRelation(context, recordSet, field);
  const last = lastOf(fields);
  const target = await followRelation(context, recordSet, last);
  const people = formatShortList(await loadTitles(context, target));
  const record = `${definition.labels.one} ${id}`;
  if (fields.length === 1) return { text: sentence(record, last, people), people: target.ids };
  const ownerTitles = formatShortList(await loadTitles(context, recordSet));
  const relationText = people ? `has ${people} as ${last.label.toLowerCase()}` : `has no ${last.label.toLowerCase()}`;
  const text = ownerTitles
    ? `${record} belongs to ${ownerTitles}, which ${relationText}.`
    : `${record} belongs to nothing of the kind.`;
  return { text, people: target.ids };
}

function sentence(record: string, field: Field, people: string): string {
  if (field.name === 'created_by') return `${record} was created by ${people || 'the program'}.`;
  return `${field.label} of ${record} ${isRelations(field) ? 'are' : 'is'} ${people || 'nobody'}.`;
}

/** The fields of a path; undefined if one of them is not a relation. */
function resolvePath(
  { registry }: RequestContext,
  rootDefinition: Definition,
  path: readonly string[],
): Field[] | undefined {
  const fields: Field[] = [];
  let definition: Definition | undefined = rootDefinition;
  for (const name of path) {
    const field: Field | undefined = definition?.fields[name];
    if (!field?.to || field.inverse) return undefined;
    fields.push(field);
    definition = registry.get(field.to);
  }
  return fields;
}

/** The records that a field of some records refers to. */
async function followRelation(
  context: RequestContext,
  { definition, ids }: RecordSet,
  field: Field,
): Promise<RecordSet> {
  const target = context.registry.getOrThrow(field.to);
  if (ids.length === 0) return { definition: target, ids };
  const value = columnSql(definition, field, 't', context.registry, context.evaluationContext);
  const { rows } = await sql<{ value: number | number[] | null }>`select ${value} as value
    from ${sql.id('public', definition.table)} t where t.id in (${sql.join(ids)})`.execute(
    context.program.database.kysely,
  );
  return { definition: target, ids: [...new Set(rows.flatMap((row) => row.value ?? []))] };
}

async function loadTitles(context: RequestContext, { definition, ids }: RecordSet): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{
    title: string | null;
  }>`select ${visibleTitleSql(context.actor, definition, 't', context.registry)} as title
    from ${sql.id('public', definition.table)} t where t.id in (${sql.join(ids)}) order by t.id`.execute(
    context.program.database.kysely,
  );
  return rows.flatMap(({ title }) => title ?? []);
}

function formatShortList(names: readonly string[]): string {
  const rest = names.length - maxNames;
  return joinNames(rest > 1 ? [...names.slice(0, maxNames), `${rest} more`] : names);
}
