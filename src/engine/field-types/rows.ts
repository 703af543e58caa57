import type { Field, FieldOf, FieldTypeName, ResourceRecord } from '../definitions/definition';
import { isEqualJson } from '../values/equal-values';
import type { FieldType } from './field-type';
import { parseBoundedJson } from '../values/bounded-json';
import { firstOf, requireValue } from '../values/lookups';

/** The types that a column of rows can have: those whose value stands for itself, in a cell. */
export const columnTypes: readonly FieldTypeName[] = [
  'text',
  'textarea',
  'richText',
  'number',
  'money',
  'boolean',
  'date',
  'time',
  'datetime',
  'select',
  'url',
  'email',
  'phone',
  'duration',
  'relation',
];

/** Ordered rows that belong to the record alone, with columns of their own; stored in a table of their own. */
export const rows: FieldType<FieldOf<'rows'>> = {
  holds: 'rows',
  normalise: ({ fields: _fields, minItems = 0, maxItems = 200, insertedRows, ...source }, { name }) => ({
    inLists: 'count',
    countName: `${name}_count`,
    minItems,
    maxItems,
    insertedRows: insertedRows === undefined ? undefined : insertionOf(insertedRows),
    ...source,
  }),
  column: null,
  schema: ({ maxItems }) => ({ type: 'array', items: { type: 'object' }, maxItems }),
  parse: (value) => (value === '' ? [] : value),
  fromText: parseJsonList,
  toText: (value, field) => (Array.isArray(value) ? `${expandedRows(field, value).length} ${field.label}` : ''),
  isEqual: (left, right) => isEqualJson(comparableRows(left), comparableRows(right)),
  searchable: false,
  sortable: false,
  filterable: false,
  hasRangeFilter: false,
  onlyPresence: true,
  isSharable: false,
  isDetail: false,
  isIndexable: false,
  width: 'full',
};

/** The column and the field of rows of `column.field`. */
function insertionOf(inserts: string): { by: string; rows: string } {
  const dot = inserts.indexOf('.');
  return { by: inserts.slice(0, dot), rows: inserts.slice(dot + 1) };
}

/** The property of a row in responses that has the rows it stands for; null in a row of the record itself. */
export const insertedRows = 'inserted';

/**
 * The rows as they are read: instead of a row that inserts a record, the rows of that record.
 *
 * @example expandedRows(steps, record.steps).map(({ action }) => action); // also the steps of shared ones
 */
export function expandedRows(field: FieldOf<'rows'>, value: unknown): readonly ResourceRecord[] {
  return rowsIn(value).flatMap((row) => (insertsRecord(field, row) ? rowsIn(row[insertedRows]) : row));
}

/**
 * How rows that stand for those of another record refer to it, of a field that has such rows.
 *
 * @example insertionIn(steps).by; // 'shared_id'
 */
export function insertionIn({
  name,
  insertedRows: inserts,
}: FieldOf<'rows'>): NonNullable<FieldOf<'rows'>['insertedRows']> {
  return requireValue(inserts, `the inserted rows of the field "${name}"`);
}

/**
 * Whether a row stands for those of the record that it refers to.
 *
 * @example insertsRecord(steps, { shared_id: 7 }); // true
 */
export function insertsRecord({ insertedRows: inserts }: FieldOf<'rows'>, row: ResourceRecord): boolean {
  return inserts !== undefined && (row[inserts.by] ?? '') !== '';
}

/** Rows of a form part are JSON. `undefined`: unreadable. */
function parseJsonList(text: string): unknown {
  try {
    const value = parseBoundedJson(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** No rows and no value are equal, and so are an empty cell and one that is left out. */
function comparableRows(value: unknown): readonly unknown[] {
  return rowsIn(value).map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell != null)));
}

/**
 * The rows of a value; none if it is no list.
 *
 * @example rowsIn(null); // []
 */
export function rowsIn(value: unknown): readonly ResourceRecord[] {
  return Array.isArray(value) ? (value as ResourceRecord[]) : [];
}

/**
 * Whether a field holds rows.
 *
 * @example fields.filter(isRows).map(({ columns }) => Object.keys(columns)); // [['action', 'expected']]
 */
export function isRows(field: Field): field is FieldOf<'rows'> {
  return field.type === 'rows';
}

/**
 * The columns of rows that are computed from others of their row.
 *
 * @example computedColumns(lines).map(({ name }) => name); // ['amount']
 */
export function computedColumns({ columns }: FieldOf<'rows'>): Field[] {
  return Object.values(columns).filter(({ computed: computation }) => computation !== undefined);
}

/**
 * The columns of rows that a row with an inserted record has no cell in.
 *
 * @example ownColumns(steps).map(({ name }) => name); // ['action', 'data', 'expected']
 */
export function ownColumns({ columns, insertedRows: inserts }: FieldOf<'rows'>): Field[] {
  return Object.values(columns).filter(({ name }) => name !== inserts?.by);
}

/**
 * The field of a fault's place: `lines` of `lines[2].amount`.
 *
 * @example fieldOfPlace('lines[2].amount'); // 'lines'
 */
export function fieldOfPlace(path: string): string {
  return firstOf(path.split('[', 1));
}

/**
 * Where a cell's fault is: `lines[2].amount`.
 *
 * @example cellPath({ name: 'lines' }, 2, 'amount'); // 'lines[2].amount'
 */
export function cellPath(field: Pick<Field, 'name'>, index: number, column: string): string {
  return `${field.name}[${index}].${column}`;
}

/**
 * The cell that `cellPath` names; undefined for the place of anything else.
 *
 * @example cellOfPlace('lines[2].amount'); // { field: 'lines', index: 2, column: 'amount' }
 */
export function cellOfPlace(path: string): { field: string; index: number; column: string } | undefined {
  const { field, index, column } = /^(?<field>[^[]+)\[(?<index>\d+)\]\.(?<column>.+)$/.exec(path)?.groups ?? {};
  return field === undefined || column === undefined ? undefined : { field, index: Number(index), column };
}
