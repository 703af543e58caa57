import { sql, type RawBuilder } from 'kysely';
import type { Predicate } from '../../../engine/conditions/grammar';
import type { Definition, Field, FieldOf } from '../../../engine/definitions/definition';
import { rowsFields } from '../../../engine/field-types/row-definition';
import { accessFilterIfGranted } from '../../access/access-filter';
import type { RequestContext } from '../../access/request-context';
import { predicateToSql } from '../../sql/predicate-to-sql';
import { selectionSql } from '../../records/read/selection';
import { sideFields, storedFields } from '../../records/write/row-writes';

/** The records of a definition that have to do with a person. */
export interface PersonalRecords {
  readonly definition: Definition;
  /** Those that the user can read, as they see them. */
  readonly readable?: RawBuilder<unknown>;
  /** The others: only ids and timestamps. */
  readonly hidden: RawBuilder<unknown>;
}

/** Its entries about the user have their own section. */
const excludedResources: ReadonlySet<string> = new Set(['security-log']);

/** The records that a user created, changed last, or is named in, by definition. */
export function personalRecords(context: RequestContext, id: number): PersonalRecords[] {
  const { definitions } = context.registry;
  return [...definitions.values()]
    .filter(({ name }) => !excludedResources.has(name))
    .map((relatedDefinition) => recordsOf(context, relatedDefinition, id));
}

function recordsOf(context: RequestContext, definition: Definition, id: number): PersonalRecords {
  const { registry, evaluationContext } = context;
  const peopleFields = storedFields(definition).filter(isOfPeople);
  const pairs = sideFields(definition).filter(isOfPeople);
  const test = (predicate: Predicate) => predicateToSql(predicate, definition, 't', registry, evaluationContext);
  const involved = test({
    kind: 'any',
    of: [
      ...peopleFields.map((field) => isId(field.name, id)),
      ...pairs.map((field) => hasPerson(field, id)),
      ...rowsFields(definition).flatMap((field) => inRows(field, id)),
    ],
  });
  const table = sql.id('public', definition.table);
  const reach = accessFilterIfGranted(context, definition, 'list', { archived: 'any' });
  const visibleNames = new Set([...storedFields(definition), ...sideFields(definition)].map(({ name }) => name));
  const unreadableRows = reach ? sql`${involved} and ${test({ kind: 'not', of: reach })}` : involved;
  return {
    definition,
    ...(reach && {
      readable: sql`select ${selectionSql({ context, definition }, 't', 'list', visibleNames)} from ${table} t
        where ${involved} and ${test(reach)} order by t.id`,
    }),
    hidden: sql`select t.id, t.created_at, t.created_by = ${id} as created_by_you from ${table} t
      where ${unreadableRows} order by t.id`,
  };
}

/** Some row has a cell that names the person. */
function inRows({ name, columns }: FieldOf<'rows'>, id: number): Predicate[] {
  const cells = Object.values(columns).filter(isOfPeople);
  return cells.map((cell) => ({ kind: 'some', field: name, of: isId(cell.name, id) }));
}

function isOfPeople({ to: target }: Field): boolean {
  return target === 'users';
}

const isId = (left: string, right: number): Predicate => ({ kind: 'compare', left, operator: '$eq', right });
const hasPerson = ({ name }: Field, id: number): Predicate => ({ kind: 'some', field: name, of: isId('id', id) });
