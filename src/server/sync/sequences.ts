import type { Definition, Field, FieldOf } from '../../engine/definitions/definition';
import { tableOf } from '../../engine/definitions/labels';
import { columnTypeOf } from '../../engine/field-types';
import { formatParts, isSequence, numberedBy, numberPlace } from '../../engine/field-types/sequence';
import type { StoredTable } from './plan-renames';
import type { RowQueries } from './row-queries';
import type { Step } from './step';
import { qualifiedTable, quoteIdentifier, type TargetTable } from './target-schema';

/** The sequences of a definition that have a column. */
export function sequenceFields({ fields }: Definition): FieldOf<'sequence'>[] {
  return Object.values(fields).filter(
    (field): field is FieldOf<'sequence'> => isSequence(field) && columnTypeOf(field) !== null,
  );
}

/** The steps that give keys to stored rows that have none, in the order of their ids. */
export async function planNumbering(
  table: TargetTable,
  stored: StoredTable | undefined,
  rowQueries: RowQueries,
): Promise<Step[]> {
  if (!stored || table.pairField || table.rowsField) return [];
  const steps: Step[] = [];
  for (const field of sequenceFields(table.definition)) {
    const column = stored.columns.get(field.name);
    const without = column ? ` where ${quoteIdentifier(column.name)} is null` : '';
    const rows = await rowQueries.count(`select from ${qualifiedTable(stored.table)}${without}`);
    if (rows === 0) continue;
    steps.push({
      kind: 'numberRows',
      resource: table.definition.name,
      text: `Give ${field.label} to the stored rows of ${table.name} without one, in the order of their ids`,
      sql: numberRowsSql(table.definition, field),
      destructive: false,
      ...(rows !== undefined && { rows }),
      locks: [stored.table],
      columns: [field.name],
    });
  }
  return steps;
}

/** Gives a key to each row without one, and remembers the last numbers. */
export function numberRowsSql(definition: Definition, field: FieldOf<'sequence'>): string {
  const table = qualifiedTable(definition.table);
  const key = quoteIdentifier(field.name);
  const scope = scopeSql(field, 't');
  const counter = `s.resource = ${quoteText(definition.name)} and s.field = ${quoteText(field.name)}`;
  return `with used as (select ${scope} as scope, max(${usedNumberSql(field, `t.${key}`)}) as last from ${table} t
      where t.${key} is not null group by 1),
    open as (select t.id, ${scope} as scope, row_number() over (partition by ${scope} order by t.id) as place
      from ${table} t where t.${key} is null),
    numbered as (select open.id, open.scope, open.place + greatest(coalesce(used.last, 0), coalesce(s.last, 0)) as n
      from open left join used on used.scope = open.scope
      left join assay.sequences s on ${counter} and s.scope = open.scope),
    counted as (insert into assay.sequences (resource, field, scope, last)
      select ${quoteText(definition.name)}, ${quoteText(field.name)}, scope, max(n) from numbered group by scope
      on conflict (resource, field, scope) do update set last = excluded.last)
    update ${table} t set ${key} = ${keySql(definition, field, 'numbered.n')} from numbered where numbered.id = t.id`;
}

/** What the numbers of a row `alias` belong to. */
function scopeSql(field: FieldOf<'sequence'>, alias: string): string {
  const by = numberedBy(field);
  return by === undefined ? '0' : `coalesce(${alias}.${quoteIdentifier(by)}, 0)`;
}

/**
 * The number within a stored key, null for one of another format. `known` gives the texts of those paths of the format
 * that are the same for all keys.
 */
export function usedNumberSql(
  { format }: FieldOf<'sequence'>,
  key: string,
  known: (path: string) => string | undefined = () => undefined,
): string {
  const parts = formatParts(format).map((part) => {
    if ('path' in part && part.path === numberPlace) return '([0-9]{1,10})';
    const text = 'text' in part ? part.text : known(part.path);
    return text?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') ?? '.*';
  });
  return `substring(${key} from ${quoteText(`^${parts.join('')}$`)})::bigint`;
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

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
