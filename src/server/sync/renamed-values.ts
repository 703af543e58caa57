import type { Definition, Field } from '../../engine/definitions/definition';
import type { ColumnType } from '../../engine/field-types';
import { conversion } from './conversion';
import type { StoredTable } from './plan-renames';
import type { RowQueries } from './row-queries';
import type { Step } from './step';
import { qualifiedTable, quoteIdentifier, type TargetColumn, type TargetTable } from './target-schema';

/** A value of an option that has to be replaced in stored rows. */
interface RenamedValue {
  readonly from: string | number;
  readonly into: string | number;
}

/**
 * The values that stored rows may still have under another name: former values of options (`formerValue`), and those that `before`,
 * the definition in force until now, had given new names that are taken back.
 */
export function renamedValues({ options = [] }: Field, before?: Field): readonly RenamedValue[] {
  const values = options.map(({ value }) => value);
  const renamed = options.flatMap(({ value, formerValue }) =>
    formerValue === undefined ? [] : [{ from: formerValue, into: value }],
  );
  const restored = (before?.options ?? []).flatMap(({ value, formerValue }) =>
    formerValue !== undefined && values.includes(formerValue) && typeof formerValue === typeof value
      ? [{ from: value, into: formerValue }]
      : [],
  );
  return [...new Map([...restored, ...renamed].map((one) => [one.from, one])).values()].filter(
    ({ from }) => !values.includes(from),
  );
}

/**
 * The steps that give stored rows the present values of options that were called otherwise before (`formerValue`), or that the
 * definitions `before` had renamed. Rows that a server of an older version stores later are found at the next start.
 */
export async function planRenamedValues(
  table: TargetTable,
  stored: StoredTable | undefined,
  rowQueries: RowQueries,
  before?: Pick<Definition, 'fields'>,
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const column of table.columns) {
    const storedColumn = stored?.columns.get(column.name);
    const values = renamedColumnValues(table, column.name, before);
    if (!stored || !storedColumn || values.length === 0) continue;
    const value = convertedColumn(column, storedColumn);
    const rows = await rowQueries.count(
      `select from ${qualifiedTable(stored.table)} where ${hasRenamedValue(value, column.type, values)}`,
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
      locks: [stored.table],
      columns: [column.name],
      ...(table.rowsField && { rowsField: table.rowsField.name }),
    });
  }
  return steps;
}

const describeValue = ({ from, into }: RenamedValue) => `${JSON.stringify(from)} to ${JSON.stringify(into)}`;

/** The values of a column that are renamed; of a system table or of pairs there are none. */
export function renamedColumnValues(
  { definition, pairField, rowsField }: TargetTable,
  name: string,
  before?: Pick<Definition, 'fields'>,
): readonly RenamedValue[] {
  if (pairField) return [];
  const fields = rowsField ? rowsField.columns : definition.fields;
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (!field?.options) return [];
  return renamedValues(field, before?.fields[name] ?? before?.fields[field.formerName ?? '']);
}

/** A stored column in the type that it will have, as an SQL expression. */
export function convertedColumn(
  { type }: TargetColumn,
  stored: { readonly name: string; readonly type: string },
): string {
  const column = quoteIdentifier(stored.name);
  return stored.type === type ? column : conversion(stored.type, type, column).using;
}

/** An expression of a column with its values renamed. A list keeps its order. */
export function withRenamedValues(value: string, type: ColumnType, values: readonly RenamedValue[]): string {
  if (values.length === 0) return value;
  if (isList(type))
    return values.reduce(
      (list, { from, into }) =>
        `array_replace(case when ${list} @> ${listOf(into, type)} then array_remove(${list}, ${one(from, type)}) else ${list} end, ${one(from, type)}, ${one(into, type)})`,
      value,
    );
  const cases = values.map(({ from, into }) => `when ${one(from, type)} then ${one(into, type)}`);
  return `case ${value} ${cases.join(' ')} else ${value} end`;
}

function hasRenamedValue(value: string, type: ColumnType, values: readonly RenamedValue[]): string {
  const from = values.map((renamed) => one(renamed.from, type)).join(', ');
  return isList(type) ? `${value} && array[${from}]` : `${value} in (${from})`;
}

const isList = (type: ColumnType): type is 'text[]' | 'integer[]' => type.endsWith('[]');

function one(value: string | number, type: ColumnType): string {
  return `'${String(value).replaceAll("'", "''")}'::${type.replace('[]', '')}`;
}

const listOf = (value: string | number, type: ColumnType) => `array[${one(value, type)}]`;
