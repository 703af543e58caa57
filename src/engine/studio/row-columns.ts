import { isReservedName } from '../definitions/check-names';
import { columnlessKeys } from '../definitions/check-row-fields';
import type { FieldTypeName } from '../definitions/definition';
import { keysOf } from '../definitions/field-keys';
import { rowColumns } from '../definitions/row-definition';
import type { FieldSource, Source } from '../definitions/source';
import { writtenTypeOf } from '../field-types';
import { rollup } from '../field-types/rollup';
import { renameCondition } from './rename-conditions';
import { replaceValues, type Renaming } from './renaming';

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
 * it. One that is published records its former name (`was`), so that it keeps its values.
 *
 * @example renameColumn(source, 'lines', 'note', 'remark', { note: {} }).fields.lines.fields.remark; // { was: 'note' }
 */
export function renameColumn(
  source: Source,
  rows: string,
  from: string,
  to: string,
  published: WrittenColumns = {},
): Source {
  const mapName = (name: string) => (name === from ? to : name);
  const fields = Object.entries(source.fields).map(([name, field]): [string, FieldSource] => {
    if (name === rows) return [name, { ...field, fields: renamedColumns(field.fields ?? {}, from, to, published) }];
    return [name, writtenTypeOf(field) === rollup && field.of === rows ? renameTaken(field, mapName) : field];
  });
  return { ...source, fields: Object.fromEntries(fields) };
}

/** A rollup with other names for the columns that it reads. */
function renameTaken(field: FieldSource, mapName: (name: string) => string): FieldSource {
  const none = new Set<string>();
  const renaming: Renaming = {
    mapName,
    resource: '',
    removedEmbeds: none,
    ownEmbeds: none,
    ownRelations: none,
    onRemoved: () => {},
    onUnresolved: () => {},
  };
  return replaceValues(renaming, field, '', {
    field: mapName,
    by: mapName,
    where: (where) => renameCondition(renaming, where),
  });
}

function renamedColumns(columns: WrittenColumns, from: string, to: string, published: WrittenColumns): WrittenColumns {
  const renamed = Object.entries(columns).map(([name, column]): [string, FieldSource] => {
    const own = Object.fromEntries(
      Object.entries(column).map(([key, value]) => [key, namingKeys.includes(key) && value === from ? to : value]),
    );
    if (name !== from) return [name, own];
    const { was, ...rest } = own as FieldSource;
    const first = was ?? (Object.hasOwn(published, from) ? from : undefined);
    return [to, first === undefined || first === to ? rest : { ...rest, was: first }];
  });
  return Object.fromEntries(renamed);
}

/** The keys of a column that name another one. */
const namingKeys = ['from', 'to', 'notBefore', 'after', 'on', 'continues'];

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
  return { type, ...Object.fromEntries(kept) };
}
