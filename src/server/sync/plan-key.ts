import type { Registry } from '../../engine/registry/registry';
import { getOrThrow } from '../../engine/values/lookups';
import { hasCompanyKey } from '../sql/same-company';
import { findHiddenTables } from './purge';
import type { CurrentSchema, RowQueries } from './row-queries';
import type { StoredTable } from './plan-renames';
import type { Step } from './step';
import { rowColumns } from '../../engine/field-types/row-definition';
import { pairKey, quoteIdentifier, qualifiedTable, recordKey, type TargetTable } from './target-schema';

/**
 * The step that gives a table the primary key of its definition: with the company, or without it. Tables of pairs and
 * rows get the company of their records. Records without a company cannot get such a key, which is for their module to
 * solve first.
 */
export async function planKey(
  table: TargetTable,
  storedTable: StoredTable | undefined,
  now: CurrentSchema,
  current: CurrentSchema,
  rowQueries: RowQueries,
  withIds: boolean,
): Promise<Step[]> {
  const key = now.keys.get(table.name);
  if (!key || !storedTable || key.columns.join() === table.key.join()) return [];
  // A table that had another use before keeps its key.
  if (withoutCompany(key.columns) !== withoutCompany(table.key)) return [];
  const ofCompany = table.key.includes('site_id');
  const isOfRecords = !table.pairField && !table.rowsField;
  const hasColumn = storedTable.columns.has('site_id');
  const violatingRows = `select ${isOfRecords ? 'id' : ''} from ${qualifiedTable(storedTable.table)}${hasColumn ? ' where site_id is null' : ''}`;
  const rows = ofCompany && isOfRecords ? await rowQueries.count(violatingRows) : undefined;
  const destructive = (rows ?? 0) > 0;
  const records = destructive && withIds ? await rowQueries.ids(violatingRows) : undefined;
  const owners = [...current.targets].flatMap(([name, target]) =>
    target === storedTable.table ? (current.foreignKeys.get(name) ?? []) : [],
  );
  const parent = table.pairField ? 'record_id' : rowColumns.parent;
  return [
    {
      kind: 'changeKey',
      resource: table.definition.name,
      text: ofCompany
        ? `Make the company part of the key of ${table.name}`
        : `Take the company out of the key of ${table.name}`,
      sql: [
        ...(ofCompany && !isOfRecords ? fillSql(table, parent) : []),
        isOfRecords ? changeReferredKeySql(table, key.name, ofCompany) : changeKeySql(table, key.name, ofCompany),
      ].join(';\n'),
      destructive,
      ...(rows !== undefined && { rows }),
      ...(records && { records }),
      locks: [...new Set([storedTable.table, ...owners])],
      columns: [],
      target: storedTable.table,
      ...(table.rowsField && { rowsField: table.rowsField.name }),
    },
  ];
}

/**
 * The steps that give hidden tables of former fields the company of their records, as fields of today have it, so that
 * their foreign keys can follow the keys of what they refer to.
 */
export function planHiddenKeys(current: CurrentSchema, registry: Registry): Step[] {
  return findHiddenTables(current, registry).flatMap(({ definition, table, isOfRows }): Step[] => {
    const formerKey = current.keys.get(table);
    const hasCompany = getOrThrow(current.tables, table).has('site_id');
    if (!hasCompanyKey(definition) || hasCompany || !formerKey || !current.tables.has(definition.table)) return [];
    const key = isOfRows ? recordKey(definition) : pairKey(definition);
    return [
      {
        kind: 'changeKey',
        resource: definition.name,
        text: `Make the company part of the key of ${table}`,
        sql: [
          `alter table ${qualifiedTable(table)} add column site_id bigint`,
          ...fillSql({ name: table, definition }, isOfRows ? rowColumns.parent : 'record_id'),
          changeKeySql({ name: table, key }, formerKey.name, true),
        ].join(';\n'),
        destructive: false,
        locks: [table, definition.table],
        columns: [],
      },
    ];
  });
}

const withoutCompany = (columns: readonly string[]) => columns.filter((name) => name !== 'site_id').join();

/** Gives pairs or rows the company of their record. Those of a record that is gone belonged to a field of before. */
function fillSql({ name, definition }: Pick<TargetTable, 'name' | 'definition'>, parent: string): string[] {
  const table = qualifiedTable(name);
  return [
    `update ${table} p set site_id = t.site_id from ${qualifiedTable(definition.table)} t
      where t.id = p.${parent} and p.site_id is distinct from t.site_id`,
    `delete from ${table} where site_id is null`,
  ];
}

function changeKeySql({ name, key }: Pick<TargetTable, 'name' | 'key'>, formerKey: string, ofCompany: boolean): string {
  const changes = [
    `drop constraint ${quoteIdentifier(formerKey)}`,
    ...(ofCompany ? [] : ['alter column site_id drop not null']),
    `add primary key (${key.join(', ')})`,
  ];
  return `alter table ${qualifiedTable(name)} ${changes.join(', ')}`;
}

/**
 * Changes a key that foreign keys may still refer to: those of tables that no definition has any more. They refer to the
 * new key, for what is stored from now on; one of a table without a company cannot, and ends.
 */
function changeReferredKeySql(table: TargetTable, formerKey: string, ofCompany: boolean): string {
  const target = qualifiedTable(table.name);
  const columns = ofCompany ? "format('site_id, %I', f.name)" : "format('%I', f.name)";
  return `do $do$
    declare
      former record;
      additions text[] := '{}';
    begin
      for former in
        select k.conrelid::regclass as source, k.conname, k.confdeltype, f.name, exists (select from pg_attribute c
            where c.attrelid = k.conrelid and c.attname = 'site_id' and not c.attisdropped) as has_company,
          ${columns} as columns
        from pg_constraint k cross join lateral (select a.attname as name from pg_attribute a
          where a.attrelid = k.conrelid and a.attnum = any(k.conkey) and a.attname <> 'site_id') f
        where k.contype = 'f' and k.confrelid = '${target}'::regclass
      loop
        execute format('alter table %s drop constraint %I', former.source, former.conname);
        if former.has_company or ${String(!ofCompany)} then
          additions := additions || format('alter table %s add constraint %I foreign key (%s) references ${target} (${ofCompany ? 'site_id, id' : 'id'}) on delete %s deferrable initially immediate not valid',
            former.source, former.conname, former.columns, case former.confdeltype when 'c' then 'cascade'
              when 'n' then format('set null (%I)', former.name) else 'no action' end);
        end if;
      end loop;
      ${changeKeySql(table, formerKey, ofCompany)};
      for former in select unnest(additions) as addition loop
        execute former.addition;
      end loop;
    end $do$`;
}
