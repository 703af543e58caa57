import { maxId } from './relation';
import { isRows } from './rows';
import type { Definition, Field, FieldOf } from '../definitions/definition';
import { tableOf } from '../definitions/labels';
import { propertyOf, requireValue } from '../values/lookups';

/** Columns of every row, besides those of its definition: whose it is, and its place among the others. */
export const rowColumns = { id: 'id', parent: 'parent_id', position: 'position' } as const;

const rowDefinitions = new WeakMap<Field, Definition>();

/**
 * The rows of a field as records of their own, so that what reads, checks and compares records serves rows too. It is in
 * no registry: nobody has grants for rows, whoever may read or change the field may do so with all of them.
 *
 * @example rowDefinition(deals, lines).fields.amount; // the column, as a field of a record
 */
export function rowDefinition(definition: Definition, field: FieldOf<'rows'>): Definition {
  let cachedDefinition = rowDefinitions.get(field);
  if (!cachedDefinition) rowDefinitions.set(field, (cachedDefinition = buildRowDefinition(definition, field)));
  return cachedDefinition;
}

function buildRowDefinition(definition: Definition, field: FieldOf<'rows'>): Definition {
  const { label, name, columns } = field;
  return Object.freeze({
    ...definition,
    name: `${definition.name}.${name}`,
    table: rowsTable(definition, name),
    formerName: undefined,
    labels: { one: label, many: label },
    recordTitle: '{id}',
    titleField: 'id',
    fields: Object.freeze({
      ...Object.fromEntries(Object.values(rowColumns).map((column) => [column, systemColumn(column)])),
      ...columns,
    }),
    parameters: {},
    requests: {},
    copy: null,
    export: null,
    exports: undefined,
    print: undefined,
    public: undefined,
    import: null,
    archive: null,
    delete: { ...definition.delete, keep: false },
    rules: [],
    hooks: {},
    rows: null,
    indexes: [],
    unique: [],
    noOverlap: null,
    validate: [],
    history: false,
    comments: null,
    page: null,
  });
}

function systemColumn(name: string): Field {
  return Object.freeze({
    name,
    type: 'number',
    integer: true,
    ...(name !== rowColumns.position && { max: maxId }),
    label: name,
    required: false,
    requiredInForm: false,
    readOnly: true,
    system: true,
    secret: false,
    virtual: false,
    searchable: false,
    sortable: false,
    filterable: false,
    width: 'quarter',
  });
}

/** The table of a field's rows. */
function rowsTable({ name: resource }: Pick<Definition, 'name'>, name: string): string {
  return `${tableOf(resource)}__${name}`;
}

/**
 * The fields of a definition that hold rows, and are stored.
 *
 * @example rowsFields(deals).map(({ name }) => name); // ['lines']
 */
export function rowsFields({ fields }: Pick<Definition, 'fields'>): FieldOf<'rows'>[] {
  return Object.values(fields).filter(isRows);
}

/** A column of rows, and the field that holds the rows. */
export interface RowColumn {
  readonly field: FieldOf<'rows'>;
  readonly column: Field;
}

/**
 * The column of rows at a path such as `lines.action`; undefined if it leads to none.
 *
 * @example rowColumnAt(deals, 'lines.amount')?.column.label; // 'Amount'
 */
export function rowColumnAt({ fields }: Pick<Definition, 'fields'>, path: string): RowColumn | undefined {
  const dot = path.indexOf('.');
  const [head, name] = [path.slice(0, Math.max(dot, 0)), path.slice(dot + 1)];
  const field = Object.hasOwn(fields, head) ? fields[head] : undefined;
  if (!field || !isRows(field) || !Object.hasOwn(field.columns, name)) return undefined;
  return { field, column: propertyOf(field.columns, name) };
}

/**
 * The path of a column of rows.
 *
 * @example rowColumnPath({ field: lines, column: action }); // 'lines.action'
 */
export function rowColumnPath({ field, column }: RowColumn): string {
  return `${field.name}.${column.name}`;
}

/**
 * The heading of a column of rows in spreadsheets.
 *
 * @example rowColumnLabel({ field: lines, column: action }); // 'Lines: Action'
 */
export function rowColumnLabel({ field, column }: RowColumn): string {
  return `${field.label}: ${column.label}`;
}

/**
 * The field whose rows a field with `insertedRows` inserts, and its definition. Throws if the definitions were not checked.
 *
 * @example insertedField(registry, steps).definition.name; // 'shared-steps'
 */
export function insertedField(
  registry: { getOrThrow(name: string): Definition },
  { columns, insertedRows }: FieldOf<'rows'>,
): { readonly definition: Definition; readonly field: FieldOf<'rows'> } {
  const { by: relation, rows } = requireValue(insertedRows, 'insertedRows');
  const definition = registry.getOrThrow(requireValue(propertyOf(columns, relation).to, `the target of ${relation}`));
  return { definition, field: definition.fields[rows] as FieldOf<'rows'> };
}
