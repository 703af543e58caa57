import { isReservedName } from '../definitions/check-names';
import { columnlessKeys } from '../definitions/check-row-fields';
import type { FieldTypeName } from '../definitions/definition';
import { keysOf } from '../definitions/field-keys';
import { rowColumns } from '../definitions/row-definition';
import type { FieldSource, Source } from '../definitions/source';
import { replaceNames } from '../language/replace-names';
import { draftField } from './draft-field';

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
  const alike = Object.keys(columns).find((one) => one.toLowerCase() === name.toLowerCase());
  return alike === undefined ? undefined : `A column "${alike}" already exists.`;
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
  from: string,
  to: string,
  published: WrittenColumns = {},
): Source {
  const scope = `${source.name}.${rows}`;
  const renamed = replaceNames(source, {
    names: [from],
    nameOf: (owner, name) => (owner === scope && name === from ? to : name),
  });
  const field = renamed.fields[rows];
  if (field?.fields === undefined) return renamed;
  const { formerName: was, ...column } = field.fields[to]!;
  const formerName = Object.hasOwn(published, from) ? from : was;
  const remembered = formerName === undefined || formerName === to ? column : { ...column, formerName };
  const fields = { ...field.fields, [to]: remembered };
  return { ...renamed, fields: { ...renamed.fields, [rows]: { ...field, fields } } };
}

/**
 * A column with another type, without the keys that this type does not have.
 *
 * @example changeColumnType({ type: 'text', maxLength: 9 }, 'number'); // { type: 'number' }
 */
export function changeColumnType(column: FieldSource, type: FieldTypeName): FieldSource {
  const known = new Set<string>(keysOf(type).filter((key) => !(key in columnlessKeys)));
  // `to` names a resource or another column, and a default is a value of its type.
  const dropped = new Set(['to', 'from', 'default', 'type']);
  const kept = Object.entries(column).filter(([key]) => known.has(key) && !dropped.has(key));
  return draftField({ type, ...Object.fromEntries(kept) });
}
