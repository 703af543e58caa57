import { sql, type RawBuilder } from 'kysely';
import type { Definition, FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { rowColumns, rowDefinition, rowsFields } from '../../../engine/field-types/row-definition';
import { columnTypeOf, fieldTypeOf } from '../../../engine/field-types';
import { isAnyRelation } from '../../../engine/field-types/relation';
import { cellPath, insertsRecord, ownColumns, rowsIn } from '../../../engine/field-types/rows';
import { isEqualJson } from '../../../engine/values/equal-values';
import type { FieldErrors } from '../../../engine/validation/validate-values';
import type { QueryScope } from '../../access/record-scope';
import { runStatement, type Transaction } from '../../database/database';
import type { Input } from './input';
import { recordCompany, unavailableReferences } from './references';
import { bind, fixedStatement, Placeholder } from '../read/statement-cache';
import { hasCompanyKey } from '../../sql/same-company';
import { companyOf } from '../../../engine/definitions/accessors';
import { itemAt, requireValue } from '../../../engine/values/lookups';

type RowsField = FieldOf<'rows'>;

/**
 * The sent rows as they are to be stored, in every column. A row with the id of a stored one is that row, and keeps what
 * was left out; one without is new, and gets the defaults. An id that is not of this record's rows is an error at its
 * place.
 */
export function withWholeRows(
  definition: Definition,
  input: Input,
  storedRecord: ResourceRecord,
  defaultsOf: (columns: Pick<Definition, 'fields'>) => ResourceRecord,
): Input {
  const fields = rowsFields(definition).filter(({ name }) => Array.isArray(input.values[name]));
  if (fields.length === 0) return input;
  const values = { ...input.values };
  const errors = { ...input.errors };
  for (const field of fields) {
    const storedRows = new Map(rowsIn(storedRecord[field.name]).map((row) => [row.id, row]));
    const defaults = defaultsOf({ fields: field.columns });
    const empty = Object.fromEntries(
      Object.values(field.columns).flatMap(({ name, computed }) => (computed === undefined ? [[name, null]] : [])),
    );
    const usedIds = new Set<unknown>();
    values[field.name] = rowsIn(values[field.name]).map((row, index) => {
      const { id, ...cells } = row;
      if (insertsRecord(field, { ...storedRows.get(id), ...cells }) && id === undefined) return { ...empty, ...cells };
      if (id === undefined) return { ...empty, ...defaults, ...cells };
      const path = cellPath(field, index, rowColumns.id);
      if (!storedRows.has(id))
        errors[path] = `${field.label}: there is no row ${String(id)} here. Leave the id of a new row out.`;
      else if (usedIds.has(id)) errors[path] = `${field.label}: the row ${String(id)} is there twice.`;
      usedIds.add(id);
      const completeRow = { ...empty, ...storedRows.get(id), ...cells, id };
      if (!insertsRecord(field, completeRow)) return completeRow;
      // The row no longer has values of its own when it stands for inserted rows.
      const omittedColumns = ownColumns(field).filter(({ name }) => !Object.hasOwn(cells, name));
      return { ...completeRow, ...Object.fromEntries(omittedColumns.map(({ name }) => [name, null])) };
    });
  }
  return { ...input, values, errors };
}

/**
 * The rows of a new record: all of them are new, also those that were copied from another record with their ids. A
 * record without rows has an empty list, so that conditions know it.
 */
export function asNewRows(definition: Definition, values: ResourceRecord): ResourceRecord {
  const fields = rowsFields(definition);
  if (fields.length === 0) return values;
  const newRows = fields.map(({ name }) => [name, rowsIn(values[name]).map(({ id: _id, ...cells }) => cells)] as const);
  return { ...values, ...Object.fromEntries(newRows) };
}

/**
 * The cells of written rows that refer to records that they may not refer to, by their place. Rows that stay as they
 * were stored are not checked again. One statement per field whose rows refer to records.
 */
export async function rowReferenceErrors(
  { context, definition, queries }: QueryScope,
  { values, before: storedRecord }: { readonly values: ResourceRecord; readonly before?: ResourceRecord },
): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  for (const field of rowsFields(definition)) {
    if (!Object.values(field.columns).some(isAnyRelation)) continue;
    const storedRows = new Map(rowsIn(storedRecord?.[field.name]).map((row) => [row.id, row]));
    const indexedRows = rowsIn(values[field.name]).map((row, index) => ({ row, index }));
    const changedRows = indexedRows.filter(({ row }) => !isEqualJson(storedRows.get(row.id), row));
    if (changedRows.length === 0) continue;
    const company = recordCompany(definition, values);
    const rows = { ...rowDefinition(definition, field), scope: 'both' as const };
    const records = changedRows.map(({ row }) => ({ ...row, site_id: company }));
    const errorsPerRow = await unavailableReferences(
      { context, definition: rows, queries },
      records,
      () => true,
      new Map(),
    );
    changedRows.forEach(({ index }, recordIndex) => {
      for (const [name, message] of Object.entries(itemAt(errorsPerRow, recordIndex)))
        errors[cellPath(field, index, name)] = message;
    });
  }
  return errors;
}

/** A record and the rows that it shall have. */
interface RowsOfRecord {
  readonly id: number;
  readonly values: ResourceRecord;
  /** Whether it was created just now, so that it has no rows to remove. */
  readonly isNew?: boolean;
}

/**
 * Stores the rows of records in the order that they have in the values: those with an id are changed, those without are
 * added, all others are removed. Two statements for any number of records, one for new ones.
 */
export async function storeRows(
  definition: Definition,
  field: RowsField,
  records: readonly RowsOfRecord[],
  trx: Transaction,
): Promise<void> {
  const { id, parent, position } = rowColumns;
  const lists = records.map(({ id: recordId, values }) => ({
    parent: recordId,
    list: rowsIn(values[field.name]),
    ...(hasCompanyKey(definition) && {
      company: requireValue(companyOf(values), `the company of a record of ${definition.name}`),
    }),
  }));
  const ownParents = lists.filter((_, index) => !itemAt(records, index).isNew);
  const parents = ownParents.map(({ parent: recordId }) => recordId);
  const keptIds = lists.flatMap(({ list }) => list.flatMap((row) => (typeof row.id === 'number' ? [row.id] : [])));
  const removal = fixedStatement(definition, `remove rows ${field.name}`, trx, () => removalSql(definition, field));
  if (parents.length > 0) {
    const companies = hasCompanyKey(definition) && { companies: ownParents.map(({ company }) => company) };
    await runStatement(trx, bind(removal, { parents, kept: keptIds, ...companies }));
  }
  const cells = Object.values(field.columns).filter((column) => columnTypeOf(column) !== null);
  const rowValues = lists.flatMap(({ parent: recordId, list, company }) =>
    list.map((row, index) => ({
      ...Object.fromEntries(cells.map(({ name }) => [name, row[name] ?? null])),
      ...(company !== undefined && { site_id: company }),
      [id]: row.id ?? null,
      [parent]: recordId,
      [position]: index,
    })),
  );
  if (rowValues.length === 0) return;
  const storing = fixedStatement(definition, `store rows ${field.name}`, trx, () => storingSql(definition, field));
  await runStatement(trx, bind(storing, { rows: JSON.stringify(rowValues) }));
}

/** Removes rows of records. Placeholders are the ids of the records, `parents`, their `companies`, and the ids of the rows that stay, `kept`. */
function removalSql(definition: Definition, field: RowsField): RawBuilder<unknown> {
  const { id, parent } = rowColumns;
  return sql`delete from ${sql.id('public', rowDefinition(definition, field).table)}
    where ${sql.id(parent)} = any(${new Placeholder('parents')}::bigint[])
      and ${sql.id(id)} <> all(${new Placeholder('kept')}::bigint[])
      ${hasCompanyKey(definition) ? sql`and site_id = any(${new Placeholder('companies')}::bigint[])` : sql``}`;
}

/** Adds and changes rows of records. The placeholder is `rows`, these as JSON. */
function storingSql(definition: Definition, field: RowsField): RawBuilder<unknown> {
  const rows = rowDefinition(definition, field);
  const table = sql.id('public', rows.table);
  const { id, parent, position } = rowColumns;
  const cells = Object.values(field.columns).filter((column) => columnTypeOf(column) !== null);
  const companyColumn = hasCompanyKey(definition) ? ['site_id'] : [];
  const columnNames = [...companyColumn, parent, position, ...cells.map(({ name }) => name)];
  const names = sql.join(columnNames.map((name) => sql.id(name)));
  const sourceColumns = sql.join(columnNames.map((name) => sql`n.${sql.id(name)}`));
  const sets = sql.join(
    columnNames.slice(companyColumn.length + 1).map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`),
  );
  return sql`insert into ${table} as kept (${sql.id(id)}, ${names})
    select coalesce(n.${sql.id(id)}, nextval(pg_get_serial_sequence(${`public.${rows.table}`}, ${id}))::bigint), ${sourceColumns}
    from json_populate_recordset(null::${table}, ${new Placeholder('rows')}::json) with ordinality n order by n.ordinality
    on conflict (${sql.join([id, ...companyColumn].map((name) => sql.id(name)))}) do update set ${sets} where kept.${sql.id(parent)} = excluded.${sql.id(parent)}`;
}

/** Rows as history keeps them: as in responses. */
export function rowsForHistory(field: RowsField, value: unknown): readonly ResourceRecord[] {
  return rowsIn(value).map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, cell]) => {
        const column = field.columns[name];
        if (cell === null || cell === undefined) return [];
        const { toHistory, toResponse } = column ? fieldTypeOf(column) : {};
        return [[name, (toHistory ?? toResponse)?.(cell) ?? cell]];
      }),
    ),
  );
}
