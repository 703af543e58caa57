import type { Definition, Field } from '../../engine/definitions/definition';
import type { ColumnType } from '../../engine/field-types/index';
import { rowColumns } from '../../engine/field-types/row-definition';
import { conversion } from './conversion';
import type { StoredTable } from './plan-renames';
import type { RowQueries } from './row-queries';
import type { Step } from './step';
import { qualifiedTable, quoteIdentifier, type TargetColumn, type TargetTable } from './target-schema';

/** A value of an option that has to be replaced in stored rows. */
interface RenamedValue {
  readonly formerValue: string | number;
  readonly newValue: string | number;
}

/**
 * The values that stored rows may still have under another name: former values of options (`formerValue`), and those that the
 * previous definition had given new names that are taken back.
 */
export function renamedValues({ options = [] }: Field, previousField?: Field): readonly RenamedValue[] {
  const values = options.map(({ value }) => value);
  const renamedOptions = options.flatMap(({ value, formerValue }) =>
    formerValue === undefined ? [] : [{ formerValue, newValue: value }],
  );
  const restoredOptions = (previousField?.options ?? []).flatMap(({ value, formerValue }) =>
    formerValue !== undefined && values.includes(formerValue) && typeof formerValue === typeof value
      ? [{ formerValue: value, newValue: formerValue }]
      : [],
  );
  return [
    ...new Map([...restoredOptions, ...renamedOptions].map((renaming) => [renaming.formerValue, renaming])).values(),
  ].filter(({ formerValue }) => !values.includes(formerValue));
}

/**
 * The steps that give stored rows the present values of options that were called otherwise before (`formerValue`), or
 * that `previousDefinition` had renamed. Rows that a server of an older version stores later are found at the next start.
 */
export async function planRenamedValues(
  table: TargetTable,
  storedTable: StoredTable | undefined,
  rowQueries: RowQueries,
  previousDefinition?: Pick<Definition, 'fields'>,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const column of table.columns) {
    const storedColumn = storedTable?.columns.get(column.name);
    const values = renamedColumnValues(table, column.name, previousDefinition);
    if (!storedTable || !storedColumn || values.length === 0) continue;
    const value = convertedColumn(column, storedColumn);
    const rows = await rowQueries.count(
      `select from ${qualifiedTable(storedTable.table)} where ${hasRenamedValue(value, column.type, values)}`,
    );
    if (rows === 0) continue;
    const name = quoteIdentifier(column.name);
    steps.push({
      kind: 'renameValues',
      resource: table.definition.name,
      text: `Rename ${values.map(describeValue).join(', ')} in ${column.name} of ${table.name}`,
      sql: `update ${qualifiedTable(table.name)} set ${name} = ${withRenamedValues(name, column.type, values)} where ${hasRenamedValue(name, column.type, values)}`,
      destructive: false,
      ...(rows !== undefined && { rows }),
      locks: [storedTable.table],
      columns: [column.name],
      ...(table.rowsField && { rowsField: table.rowsField.name }),
    });
  }
  return steps;
}

const describeValue = ({ formerValue, newValue }: RenamedValue) =>
  `${JSON.stringify(formerValue)} to ${JSON.stringify(newValue)}`;

/** The values of a column that are renamed; of a system table or of pairs there are none. */
function renamedColumnValues(
  { definition, pairField, rowsField }: TargetTable,
  name: string,
  previousDefinition?: Pick<Definition, 'fields'>,
): readonly RenamedValue[] {
  if (pairField) return [];
  const fields = rowsField ? rowsField.columns : definition.fields;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field?.options) return [];
  return renamedValues(field, previousDefinition?.fields[name] ?? previousDefinition?.fields[field.formerName ?? '']);
}

/** A stored column in the type that it will have, as an SQL expression. */
function convertedColumn(
  { type }: TargetColumn,
  storedColumn: { readonly name: string; readonly type: string },
): string {
  const column = quoteIdentifier(storedColumn.name);
  return storedColumn.type === type ? column : conversion(storedColumn.type, type, column).expression;
}

/** An expression of a column with its values renamed. A list keeps its order. */
function withRenamedValues(value: string, type: ColumnType, values: readonly RenamedValue[]): string {
  if (values.length === 0) return value;
  if (isList(type))
    return values.reduce(
      (list, { formerValue, newValue }) =>
        `array_replace(case when ${list} @> ${listOf(newValue, type)} then array_remove(${list}, ${literalOf(formerValue, type)}) else ${list} end, ${literalOf(formerValue, type)}, ${literalOf(newValue, type)})`,
      value,
    );
  const cases = values.map(
    ({ formerValue, newValue }) => `when ${literalOf(formerValue, type)} then ${literalOf(newValue, type)}`,
  );
  return `case ${value} ${cases.join(' ')} else ${value} end`;
}

function hasRenamedValue(value: string, type: ColumnType, values: readonly RenamedValue[]): string {
  const formerValues = values.map((renaming) => literalOf(renaming.formerValue, type)).join(', ');
  return isList(type) ? `${value} && array[${formerValues}]` : `${value} in (${formerValues})`;
}

const isList = (type: ColumnType): type is 'text[]' | 'integer[]' => type.endsWith('[]');

function literalOf(value: string | number, type: ColumnType): string {
  return `'${String(value).replaceAll("'", "''")}'::${type.replace('[]', '')}`;
}

const listOf = (value: string | number, type: ColumnType) => `array[${literalOf(value, type)}]`;

/**
 * The rows of a stored table as they will be after renaming, adding and converting its columns and renaming values of
 * options, as an SQL `from` item, so that rule violations can be counted before anything changes. `previousDefinition`:
 * the definition of these rows until now. `recordTable`: the stored table of the records that pairs and rows belong to.
 */
export function futureTableSql(
  table: TargetTable,
  storedTable: StoredTable,
  previousDefinition?: Pick<Definition, 'fields'>,
  recordTable?: StoredTable,
): string {
  const ofRecords = recordTable && getsCompany(table, storedTable, recordTable);
  let isSame = storedTable.table === table.name;
  const columns = table.columns.map((column) => {
    const { name, type, fill } = column;
    const storedColumn = storedTable.columns.get(name);
    const values = renamedColumnValues(table, name, previousDefinition);
    if (storedColumn?.name === name && storedColumn.type === type && values.length === 0) return quoteIdentifier(name);
    isSame = false;
    if (!storedColumn && ofRecords && name === 'site_id') return name;
    if (!storedColumn) return `${fill ?? `null::${type}`} as ${quoteIdentifier(name)}`;
    return `${withRenamedValues(convertedColumn(column, storedColumn), type, values)} as ${quoteIdentifier(name)}`;
  });
  return isSame
    ? qualifiedTable(table.name)
    : `(select ${columns.join(', ')} from ${ofRecords ? withCompanySql(table, storedTable, recordTable) : qualifiedTable(storedTable.table)})`;
}

/** Whether stored pairs or rows get the company of their record, which has one. */
export function getsCompany(
  { columns, pairField, rowsField }: TargetTable,
  storedTable: StoredTable,
  recordTable: StoredTable | undefined,
): boolean {
  if (!(pairField ?? rowsField) || !recordTable?.columns.has('site_id')) return false;
  return columns.some(({ name }) => name === 'site_id') && !storedTable.columns.has('site_id');
}

function withCompanySql({ pairField }: TargetTable, { table }: StoredTable, recordTable: StoredTable): string {
  const parent = pairField ? 'record_id' : rowColumns.parent;
  return `(select p.*, t.site_id from ${qualifiedTable(table)} p join ${qualifiedTable(recordTable.table)} t on t.id = p.${parent}) held`;
}
