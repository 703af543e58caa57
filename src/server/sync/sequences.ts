import { sql } from 'kysely';
import type { Definition, Field, FieldOf } from '../../engine/definitions/definition';
import { tableOf } from '../../engine/definitions/labels';
import { columnTypeOf } from '../../engine/field-types';
import { formatParts, isSequence, numberedBy, numberPlace } from '../../engine/field-types/sequence';
import type { Queries } from '../database/database';
import type { StoredTable } from './plan-renames';
import type { RowQueries } from './row-queries';
import type { Step } from './step';
import { qualifiedTable, quoteIdentifier, type TargetTable } from './target-schema';
import { quoteText } from '../database/identifiers';

const sequences = new WeakMap<Definition, readonly FieldOf<'sequence'>[]>();

/** The sequences of a definition that have a column. */
export function sequenceFields(definition: Definition): readonly FieldOf<'sequence'>[] {
  let fields = sequences.get(definition);
  if (!fields) {
    fields = Object.values(definition.fields).filter(
      (field): field is FieldOf<'sequence'> => isSequence(field) && columnTypeOf(field) !== null,
    );
    sequences.set(definition, fields);
  }
  return fields;
}

/** The steps that give keys to stored rows that have none, in the order of their ids. */
export async function planNumbering(
  table: TargetTable,
  storedTable: StoredTable | undefined,
  rowQueries: RowQueries,
): Promise<Step[]> {
  if (!storedTable || table.pairField || table.rowsField) return [];
  const steps: Step[] = [];
  for (const field of sequenceFields(table.definition)) {
    const column = storedTable.columns.get(field.name);
    const nullCondition = column ? ` where ${quoteIdentifier(column.name)} is null` : '';
    const rows = await rowQueries.count(`select from ${qualifiedTable(storedTable.table)}${nullCondition}`);
    if (rows === 0) continue;
    steps.push({
      kind: 'numberRows',
      resource: table.definition.name,
      text: `Give ${field.label} to the stored rows of ${table.name} without one, in the order of their ids`,
      sql: numberRowsSql(table.definition, field),
      destructive: false,
      ...(rows !== undefined && { rows }),
      locks: [storedTable.table],
      columns: [field.name],
    });
  }
  return steps;
}

/**
 * Gives a key to each stored row without one within a transaction, and locks the counters of the resource until it ends:
 * no other transaction takes a number of these meanwhile, and this one takes its further numbers itself.
 */
export async function numberRows(trx: Queries, definition: Definition): Promise<void> {
  const fields = sequenceFields(definition);
  if (fields.length === 0) return;
  lockedCounters.set(trx, (lockedCounters.get(trx) ?? new Set()).add(definition.name));
  for (const field of fields) await sql.raw(numberRowsSql(definition, field)).execute(trx);
}

/** The resources whose counters a transaction has locked. */
const lockedCounters = new WeakMap<Queries, Set<string>>();

/** Whether a transaction has locked the counters of a resource. */
export function hasLockedCounters({ name }: Definition, queries: Queries): boolean {
  return lockedCounters.get(queries)?.has(name) ?? false;
}

/** Gives a key to each row without one, and lets every counter of the field go on after the keys of its rows. */
function numberRowsSql(definition: Definition, field: FieldOf<'sequence'>): string {
  const table = qualifiedTable(definition.table);
  const key = quoteIdentifier(field.name);
  const scope = scopeSql(field, 't');
  // The counter is read where it is changed, with its row locked: others may take numbers at this moment.
  return `with used as (select ${scope} as scope, coalesce(max(${usedNumberSql(field, `t.${key}`)}), 0) as last,
      count(*) filter (where t.${key} is null) as wanted from ${table} t group by 1),
    counted as (insert into assay.sequences as s (resource, field, scope, last)
      select ${quoteText(definition.name)}, ${quoteText(field.name)}, scope, last + wanted from used
      on conflict (resource, field, scope) do update set last = (select greatest(s.last, used.last) + used.wanted
        from used where used.scope = s.scope) returning s.scope, s.last),
    numbered as (select t.id, counted.last - used.wanted + row_number() over (partition by used.scope order by t.id) as n
      from ${table} t join used on used.scope = ${scope} join counted on counted.scope = used.scope
      where t.${key} is null)
    update ${table} t set ${key} = ${keySql(definition, field, 'numbered.n')} from numbered where numbered.id = t.id`;
}

/** The counter of the last number in a scope of a sequence. */
export interface Counter {
  readonly definition: Definition;
  readonly field: FieldOf<'sequence'>;
  /** The id of what the numbers belong to, or 0. */
  readonly scope: number;
  /** Gives the text that all keys of the scope have for a path of the format; undefined if they differ in it. */
  readonly knownTexts: KnownTexts;
}

/** Selects the greatest number of the stored keys in the scope of a counter as `last`, 0 if there are none. */
export function lastUsedSql({ definition, field, scope, knownTexts }: Counter): string {
  return `select coalesce(max(${usedNumberSql(field, `t.${quoteIdentifier(field.name)}`, knownTexts)}), 0) as last
    from ${qualifiedTable(definition.table)} t where ${scopeSql(field, 't')} = ${scope}`;
}

/** The scope of the numbers of a row `alias`. */
function scopeSql(field: FieldOf<'sequence'>, alias: string): string {
  const scopeField = numberedBy(field);
  return scopeField === undefined ? '0::bigint' : `coalesce(${alias}.${quoteIdentifier(scopeField)}, 0)`;
}

/**
 * The number within a stored key, null for one of another format. `knownTexts` gives the texts of those paths of the
 * format that are the same for all keys.
 */
function usedNumberSql(field: FieldOf<'sequence'>, key: string, knownTexts?: KnownTexts): string {
  return `substring(${key} from ${quoteText(keyPattern(field, knownTexts))})::bigint`;
}

type KnownTexts = (path: string) => string | undefined;

/** The regular expression of the keys of a format, with its number as the only group; PostgreSQL and JavaScript read it alike. */
export function keyPattern({ format }: FieldOf<'sequence'>, knownTexts: KnownTexts = () => undefined): string {
  const parts = formatParts(format).map((part) => {
    if ('path' in part && part.path === numberPlace) return '([0-9]{1,10})';
    const text = 'text' in part ? part.text : knownTexts(part.path);
    return text?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') ?? '.*';
  });
  return `^${parts.join('')}$`;
}

/** The key of a row `t`, as the server writes it for a new one. */
function keySql(definition: Definition, field: FieldOf<'sequence'>, number: string): string {
  const parts = formatParts(field.format).map((part) => {
    if ('text' in part) return quoteText(part.text);
    if (part.path === numberPlace) return number;
    const [name, inner] = part.path.split('.') as [string, string | undefined];
    const column = `t.${quoteIdentifier(name)}`;
    const relation: Field | undefined = definition.fields[name];
    if (inner === undefined || relation?.to === undefined) return column;
    return `(select r.${quoteIdentifier(inner)} from ${qualifiedTable(tableOf(relation.to))} r where r.id = ${column})`;
  });
  return `concat(${parts.join(', ')})`;
}
