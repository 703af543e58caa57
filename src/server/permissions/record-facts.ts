import { sql } from 'kysely';
import { predicateOf } from '../../engine/conditions/evaluate';
import type { Predicate } from '../../engine/conditions/grammar';
import { listed } from '../../engine/access/rule-words';
import type { Definition, Field, Rule } from '../../engine/definitions/definition';
import type { RequestContext } from '../access/request-context';
import { columnSql } from '../conditions/column-sql';
import { knownTitleSql } from '../conditions/columns';

const me = '$actor.id';
const named = 3;

/** The users of a record that rules refer to. */
export interface RecordFacts {
  /** Sentences such as `Task 418 was created by Maya Lindqvist.` */
  readonly text: string;
  /** Their ids. */
  readonly people: readonly number[];
}

/** The facts of a record that rules compare with the actor. */
export async function factsOf(
  context: RequestContext,
  definition: Definition,
  rules: readonly Rule[],
  id: number,
): Promise<RecordFacts> {
  const paths = rules.flatMap(({ where }) => (where ? pathsOf(predicateOf(where)) : []));
  const distinct = [...new Map(paths.map((path) => [path.join('.'), path])).values()];
  const facts = await Promise.all(distinct.map((path) => factAt(context, definition, path, id)));
  const known = facts.filter((fact) => fact !== undefined);
  return {
    text: known.map(({ text }) => text).join(' '),
    people: [...new Set(known.flatMap(({ people }) => people))],
  };
}

/** The paths of fields that a rule compares with the actor. */
function pathsOf(predicate: Predicate, above: readonly string[] = []): (readonly string[])[] {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      return predicate.of.flatMap((one) => pathsOf(one, above));
    case 'not':
      return pathsOf(predicate.of, above);
    case 'some':
      return pathsOf(predicate.of, [...above, predicate.field]);
    case 'compare':
      return predicate.right === me ? [[...above, predicate.left]] : [];
  }
}

interface Place {
  readonly definition: Definition;
  readonly ids: readonly number[];
}

async function factAt(
  context: RequestContext,
  definition: Definition,
  path: readonly string[],
  id: number,
): Promise<{ text: string; people: readonly number[] } | undefined> {
  const fields = fieldsAt(context, definition, path);
  if (!fields) return undefined;
  let place: Place = { definition, ids: [id] };
  for (const field of fields.slice(0, -1)) place = await follow(context, place, field);
  const last = fields.at(-1)!;
  const target = await follow(context, place, last);
  const people = listedBriefly(await titles(context, target));
  const record = `${definition.labels.one} ${id}`;
  if (fields.length === 1) return { text: sentence(record, last, people), people: target.ids };
  const around = listedBriefly(await titles(context, place));
  const have = people ? `has ${people} as ${last.label.toLowerCase()}` : `has no ${last.label.toLowerCase()}`;
  const text = around ? `${record} belongs to ${around}, which ${have}.` : `${record} belongs to nothing of the kind.`;
  return { text, people: target.ids };
}

function sentence(record: string, field: Field, people: string): string {
  if (field.name === 'created_by') return `${record} was created by ${people || 'the program'}.`;
  return `${field.label} of ${record} ${field.type === 'relations' ? 'are' : 'is'} ${people || 'nobody'}.`;
}

/** The fields of a path; undefined if one of them is not a relation. */
function fieldsAt({ registry }: RequestContext, from: Definition, path: readonly string[]): Field[] | undefined {
  const fields: Field[] = [];
  let definition: Definition | undefined = from;
  for (const name of path) {
    const field: Field | undefined = definition?.fields[name];
    if (!field?.to || field.inverse) return undefined;
    fields.push(field);
    definition = registry.get(field.to);
  }
  return fields;
}

/** The records that a field of some records refers to. */
async function follow(context: RequestContext, { definition, ids }: Place, field: Field): Promise<Place> {
  const target = context.registry.need(field.to!);
  if (ids.length === 0) return { definition: target, ids };
  const value = columnSql(definition, field, 't', context.registry, context.surroundings);
  const { rows } = await sql<{ value: number | number[] | null }>`select ${value} as value
    from ${sql.id('public', definition.table)} t where t.id in (${sql.join(ids)})`.execute(
    context.program.database.kysely,
  );
  return { definition: target, ids: [...new Set(rows.flatMap((row) => row.value ?? []))] };
}

async function titles(context: RequestContext, { definition, ids }: Place): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{
    title: string | null;
  }>`select ${knownTitleSql(context.actor, definition, 't', context.registry)} as title
    from ${sql.id('public', definition.table)} t where t.id in (${sql.join(ids)}) order by t.id`.execute(
    context.program.database.kysely,
  );
  return rows.flatMap(({ title }) => title ?? []);
}

function listedBriefly(names: readonly string[]): string {
  const rest = names.length - named;
  return listed(rest > 1 ? [...names.slice(0, named), `${rest} more`] : names);
}
