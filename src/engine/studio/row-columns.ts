import { isReservedName } from '../check/check-names';
import { columnlessKeys } from '../check/check-row-fields';
import type { FieldTypeName } from '../definitions/definition';
import { keysOf } from '../field-types/field-keys';
import { rowColumns } from '../field-types/row-definition';
import type { FieldSource, Source } from '../language/source';
import { replaceNames } from '../references/replace-names';
import { draftField } from './draft-field';
import { propertyOf } from '../values/lookups';

/** The columns of rows, as written: by name, in their order. */
export type WrittenColumns = Readonly<Record<string, FieldSource>>;

/**
 * A name for a new column that no other has.
 *
 * @example newColumnName({ column_1: {} }); // 'column_2'
 */
export function newColumnName(columns: WrittenColumns): string {
  for (let number = Object.keys(columns).length + 1; ; number++)
    if (!Object.hasOwn(columns, `column_${number}`)) return `column_${number}`;
}

/**
 * Why a column cannot have this name, as text; undefined if it can.
 *
 * @example columnNameProblem({ action: {} }, 'position'); // '"position" is reserved for the rows themselves.'
 */
export function columnNameProblem(columns: WrittenColumns, name: string): string | undefined {
  if (!/^[a-z][A-Za-z0-9_]*$/.test(name))
    return 'Names start with a lower-case letter, followed by letters, digits and _.';
  if (Object.values<string>(rowColumns).includes(name) || isReservedName(name))
    return `"${name}" is reserved for the rows themselves.`;
  const similarName = Object.keys(columns).find((column) => column.toLowerCase() === name.toLowerCase());
  return similarName === undefined ? undefined : `A column "${similarName}" already exists.`;
}

/**
 * The definition with another name for a column of the field `rows`, also where other columns or rollups over these rows name
 * it. One that is published records its former name (`formerName`), so that it keeps its values.
 *
 * @example renameColumn(source, 'lines', 'note', 'remark', { note: {} }).fields.lines.fields.remark; // { formerName: 'note' }
 */
export function renameColumn(
  source: Source,
  rows: string,
  oldName: string,
  newName: string,
  publishedColumns: WrittenColumns = {},
): Source {
  const scope = `${source.name}.${rows}`;
  const renamedSource = replaceNames(source, {
    names: [oldName],
    nameOf: (owner, name) => (owner === scope && name === oldName ? newName : name),
  });
  const field = renamedSource.fields[rows];
  if (field?.fields === undefined) return renamedSource;
  const { formerName: earlierName, ...column } = propertyOf(field.fields, newName);
  const formerName = Object.hasOwn(publishedColumns, oldName) ? oldName : earlierName;
  const renamedColumn = formerName === undefined || formerName === newName ? column : { ...column, formerName };
  const fields = { ...field.fields, [newName]: renamedColumn };
  return { ...renamedSource, fields: { ...renamedSource.fields, [rows]: { ...field, fields } } };
}

/**
 * A column with another type, without the keys that this type does not have.
 *
 * @example changeColumnType({ type: 'text', maxLength: 9 }, 'number'); // { type: 'number' }
 */
export function changeColumnType(column: FieldSource, type: FieldTypeName): FieldSource {
  const knownKeys = new Set<string>(keysOf(type).filter((key) => !(key in columnlessKeys)));
  // `to` names a resource or another column, and a default is a value of its type.
  const droppedKeys = new Set(['to', 'from', 'default', 'type']);
  const keptEntries = Object.entries(column).filter(([key]) => knownKeys.has(key) && !droppedKeys.has(key));
  return draftField({ type, ...Object.fromEntries(keptEntries) });
}
