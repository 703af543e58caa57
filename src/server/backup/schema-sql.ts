import pg from 'pg';

/** A table and its copied columns; generated columns are computed again on restore. */
export interface TableCopy {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
}

/** The statements that create the same schema without rows, and those that complete it once the rows are restored. */
export interface SchemaSql {
  readonly before: readonly string[];
  readonly tables: readonly TableCopy[];
  readonly after: readonly string[];
}

/** The PostgreSQL schemas of the program: its records, and the engine's own tables. */
export const schemas = ['public', 'assay'] as const;

const quote = pg.escapeIdentifier;
const ownedSchemas = `n.nspname = any ($1)`;
/** Objects of an extension are restored with the extension. */
const notOfExtension = (catalog: string, oid: string) =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

/**
 * Describes the program's schemas as SQL, from the database catalog. Covers everything that the program, its migrations
 * and definitions create: extensions, sequences, tables with identity, generated and default values, constraints,
 * indexes, functions, triggers, views and comments. Throws if there is anything else, rather than leave it out
 * silently.
 */
export async function describeSchema(client: pg.ClientBase): Promise<SchemaSql> {
  const read = async <T>(text: string): Promise<T[]> => (await client.query(text, [schemas])).rows as T[];
  await assertKnownObjects(read);
  const extensions = await read<{ sql: string }>(`
    select format('create extension if not exists %I', e.extname) as sql from pg_extension e
    where e.extname <> 'plpgsql' and $1::text[] is not null order by e.extname`);
  const sequences = await read<SequenceRow>(sequencesQuery);
  const tables = await read<TableRow>(tablesQuery);
  const columns = await read<ColumnRow>(columnsQuery);
  const functions = await read<{ sql: string }>(`
    select pg_get_functiondef(p.oid) as sql from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${ownedSchemas} and ${notOfExtension('pg_proc', 'p.oid')} order by p.oid`);
  const columnsOf = (table: TableRow) => columns.filter(({ oid }) => oid === table.oid);
  const statements = (rows: readonly { sql: string }[]) => rows.map(({ sql }) => sql);
  return {
    before: [
      ...schemas.map((schema) => `create schema if not exists ${quote(schema)}`),
      ...statements(extensions),
      ...sequences.filter(({ identity }) => !identity).map(createSequence),
      'set check_function_bodies = off',
      ...statements(functions),
      ...tables.map((table) => createTable(table, columnsOf(table))),
    ],
    tables: tables.map((table) => ({
      schema: table.schema,
      name: table.name,
      columns: columnsOf(table).flatMap(({ name, generated }) => (generated === '' ? [name] : [])),
    })),
    after: [
      ...sequences.flatMap(setSequence),
      ...statements(await read(constraintsQuery(['p', 'u', 'x', 'c']))),
      ...statements(await read(indexesQuery)),
      ...statements(await read(constraintsQuery(['f']))),
      ...statements(await read(viewsQuery)),
      ...statements(await read(triggersQuery)),
      ...statements(await read(commentsQuery)),
    ],
  };
}

interface TableRow {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly persistence: string;
  readonly options: string | null;
}

interface ColumnRow {
  readonly oid: number;
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly required: boolean;
  readonly identity: '' | 'a' | 'd';
  readonly generated: '' | 's' | 'v';
  readonly default: string | null;
  readonly sequence: string | null;
}

interface SequenceRow {
  readonly schema: string;
  readonly name: string;
  readonly type: string;
  readonly start: string;
  readonly min: string;
  readonly max: string;
  readonly step: string;
  readonly cache: string;
  readonly cycle: boolean;
  readonly last: string | null;
  readonly identity: boolean;
  readonly owner: string | null;
}

const tablesQuery = `
  select c.oid::int8::int4 as oid, n.nspname as schema, c.relname as name, c.relpersistence as persistence,
    array_to_string(c.reloptions, ', ') as options
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${ownedSchemas} and c.relkind = 'r' and ${notOfExtension('pg_class', 'c.oid')} order by n.nspname, c.relname`;

const columnsQuery = `
  select a.attrelid::int8::int4 as oid, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    case when a.attcollation <> t.typcollation then format('%I.%I', cn.nspname, co.collname) end as collation,
    a.attnotnull as required, a.attidentity as identity, a.attgenerated as generated,
    pg_get_expr(d.adbin, d.adrelid) as default,
    case when a.attidentity <> '' then (select format('%I.%I', sn.nspname, s.relname) from pg_depend x
      join pg_class s on s.oid = x.objid join pg_namespace sn on sn.oid = s.relnamespace
      where x.classid = 'pg_class'::regclass and x.refobjid = a.attrelid and x.refobjsubid = a.attnum
        and x.deptype = 'i' and s.relkind = 'S') end as sequence
  from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_type t on t.oid = a.atttypid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_collation co on co.oid = a.attcollation left join pg_namespace cn on cn.oid = co.collnamespace
  where ${ownedSchemas} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by a.attrelid, a.attnum`;

const sequencesQuery = `
  select q.schemaname as schema, q.sequencename as name, q.data_type::text as type, q.start_value::text as start,
    q.min_value::text as min, q.max_value::text as max, q.increment_by::text as step, q.cache_size::text as cache,
    q.cycle, q.last_value::text as last, coalesce(d.deptype = 'i', false) as identity,
    case when d.deptype = 'a' then format('%I.%I.%I', tn.nspname, t.relname, a.attname) end as owner
  from pg_sequences q join pg_namespace n on n.nspname = q.schemaname
    join pg_class c on c.relname = q.sequencename and c.relnamespace = n.oid
    left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refobjsubid > 0
      and d.deptype in ('a', 'i')
    left join pg_class t on t.oid = d.refobjid left join pg_namespace tn on tn.oid = t.relnamespace
    left join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  where ${ownedSchemas} order by q.schemaname, q.sequencename`;

/**
 * The constraints of some kinds, in their order. Foreign keys come after indexes, since they need the unique ones of
 * their targets. 'not null' constraints are part of columns.
 */
const constraintsQuery = (kinds: readonly string[]) => `
  select format('alter table only %I.%I add constraint %I %s', n.nspname, c.relname, k.conname,
    pg_get_constraintdef(k.oid)) as sql
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where ${ownedSchemas} and k.contype in (${kinds.map((kind) => `'${kind}'`).join(', ')})
  order by array_position(array[${kinds.map((kind) => `'${kind}'`).join(', ')}], k.contype::text), k.oid`;

const indexesQuery = `
  select pg_get_indexdef(x.indexrelid) as sql
  from pg_index x join pg_class c on c.oid = x.indrelid join pg_namespace n on n.oid = c.relnamespace
  where ${ownedSchemas} and c.relkind = 'r' and x.indisvalid
    and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype <> 'f') order by x.indexrelid`;

const viewsQuery = `
  select format('create view %I.%I%s as %s', n.nspname, c.relname,
    ' with (' || array_to_string(c.reloptions, ', ') || ')', pg_get_viewdef(c.oid)) as sql
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${ownedSchemas} and c.relkind = 'v' and ${notOfExtension('pg_class', 'c.oid')} order by c.oid`;

const triggersQuery = `
  select pg_get_triggerdef(t.oid) as sql
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where ${ownedSchemas} and not t.tgisinternal order by t.oid`;

const commentsQuery = `
  select format('comment on %s %I.%I%s is %L',
    case when d.objsubid > 0 then 'column' else
      case c.relkind when 'r' then 'table' when 'v' then 'view' when 'i' then 'index' else 'sequence' end end,
    n.nspname, c.relname, case when d.objsubid > 0 then '.' || quote_ident(a.attname) else '' end, d.description) as sql
  from pg_description d join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid
  where ${ownedSchemas} and c.relkind in ('r', 'v', 'i', 'S') order by c.oid, d.objsubid`;

async function assertKnownObjects(read: <T>(text: string) => Promise<T[]>): Promise<void> {
  const unknown = await read<{ what: string }>(`
    select format('%I.%I', n.nspname, c.relname) as what
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${ownedSchemas} and c.relkind not in ('r', 'v', 'i', 'S', 't') and ${notOfExtension('pg_class', 'c.oid')}
    union all
    select format('the type %I.%I', n.nspname, t.typname)
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where ${ownedSchemas} and t.typtype not in ('c', 'b', 'p') and ${notOfExtension('pg_type', 't.oid')}
    union all
    select format('the aggregate %I.%I', n.nspname, p.proname)
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${ownedSchemas} and p.prokind = 'a' and ${notOfExtension('pg_proc', 'p.oid')}`);
  if (unknown.length === 0) return;
  const names = unknown.map(({ what: objectKind }) => objectKind).join(', ');
  throw new Error(
    `The database contains objects that this backup does not cover: ${names}. Move them to another schema, or use pg_dump.`,
  );
}

function createTable({ schema, name, persistence, options }: TableRow, columns: readonly ColumnRow[]): string {
  const kind = persistence === 'u' ? 'unlogged table' : 'table';
  const parts = columns.map(describeColumn).join(', ');
  return `create ${kind} ${quote(schema)}.${quote(name)} (${parts})${options ? ` with (${options})` : ''}`;
}

function describeColumn(column: ColumnRow): string {
  const { name, type, collation, required: isRequired, identity, generated, sequence } = column;
  const parts = [quote(name), type];
  if (collation) parts.push(`collate ${collation}`);
  if (generated) parts.push(`generated always as (${column.default}) ${generated === 's' ? 'stored' : 'virtual'}`);
  else if (identity) {
    parts.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity (sequence name ${sequence})`);
  } else if (column.default !== null) parts.push(`default ${column.default}`);
  if (isRequired) parts.push('not null');
  return parts.join(' ');
}

function createSequence({ schema, name, type, start, min, max, step, cache, cycle }: SequenceRow): string {
  const range = `start ${start} minvalue ${min} maxvalue ${max} increment ${step} cache ${cache}`;
  return `create sequence ${quote(schema)}.${quote(name)} as ${type} ${range}${cycle ? ' cycle' : ''}`;
}

function setSequence({ schema, name, last, owner }: SequenceRow): string[] {
  const full = `${quote(schema)}.${quote(name)}`;
  return [
    ...(owner === null ? [] : [`alter sequence ${full} owned by ${owner}`]),
    ...(last === null ? [] : [`select setval(${pg.escapeLiteral(full)}, ${last}, true)`]),
  ];
}
