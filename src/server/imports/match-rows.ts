import { sql } from 'kysely';
import { isGranted } from '../../engine/access/access-decision';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { fieldTypeOf, sheetTypeOf, storedTypeOf } from '../../engine/field-types';
import { expandStoredRows, loadInsertedRows, type InsertedRows } from './inserted-rows';
import { isRelations } from '../../engine/field-types/relations';
import type { JoinedRow } from '../../engine/imports/join-rows';
import { type MatchedColumn, recordIdHeading } from '../../engine/imports/headings';
import { readAs } from '../../engine/formats/personal';
import { writtenMinute } from '../../engine/formats/wall-clock';
import { readCell } from '../../engine/imports/read-cell';
import { isEqualJson } from '../../engine/values/equal-values';
import { isEmpty } from '../../engine/values/is-empty';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { visibleRowsFilter } from '../access/access-filter';
import type { RecordScope, TransactionScope } from '../access/record-scope';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { rowColumnAt, rowDefinition, rowsFields } from '../../engine/field-types/row-definition';
import { cellPath, isRows, rowsIn } from '../../engine/field-types/rows';
import { loadTitles } from '../records/read/titles';
import type { Input } from '../records/write/input';
import { lockRows, type StoredRow } from '../records/write/stored-row';
import { predicateToSql } from '../sql/predicate-to-sql';
import { compareRows } from './compare-rows';
import type { ImportRequest } from './import-request';
import { columnsOfRows, linesOf } from './record-lines';
import type { ReadingContext, RowInput } from './read-records';
import { fieldOf, importOf } from '../../engine/definitions/accessors';
import { firstOf, itemAt, propertyOf, requireValue } from '../../engine/values/lookups';

/** The purpose of a row of a file: a new record, a change of one that exists, or nothing because it is refused. */
export type RowPurpose =
  | { readonly kind: 'new'; readonly input: Input }
  | {
      readonly kind: 'change';
      readonly id: number;
      readonly input: Input;
      /** The record as it is. */
      readonly stored: ResourceRecord;
    }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

/** The options of an import that concern records which exist. */
export type MatchOptions = Pick<ImportRequest, 'empty' | 'seenAt'>;

/** The rows so far, by what identifies their record: no two of them may be about the same one. */
export class SeenKeys {
  private readonly rows: Map<string, number>;

  constructor(entries: Iterable<readonly [string, number]> = []) {
    this.rows = new Map(entries);
  }

  /** All rows so far, for another set that goes on from here. */
  entries(): Iterable<readonly [string, number]> {
    return this.rows;
  }

  /** The earlier row with the same key; undefined for the first. */
  add(key: string, row: number): number | undefined {
    const earlierRow = this.rows.get(key);
    if (earlierRow === undefined) this.rows.set(key, row);
    return earlierRow;
  }
}

/** By what the rows of a file find their records: the ids, and the fields of `match` if the file has all of them. */
export interface MatchedBy {
  readonly hasIds: boolean;
  readonly fields: readonly Field[];
}

export function matchedBy(
  definition: Definition,
  columns: readonly MatchedColumn[],
  givenValues: ResourceRecord,
): MatchedBy {
  const filledFields = new Set(columns.flatMap(({ field }) => field?.split(',') ?? []));
  const { match } = importOf(definition);
  const isComplete = match.every((name) => filledFields.has(name) || name in givenValues);
  return { hasIds: filledFields.has('id'), fields: isComplete ? match.map((name) => fieldOf(definition, name)) : [] };
}

/** Finds the record of each row, by its id or by the fields of `match`: one statement for each of both. */
export async function matchRows(
  context: RequestContext,
  { definition, columns, givenValues }: Omit<ReadingContext, 'trx'>,
  { empty, seenAt }: MatchOptions,
  part: readonly JoinedRow[],
  inputs: readonly RowInput[],
  seenKeys: SeenKeys,
  trx: Transaction,
): Promise<RowPurpose[]> {
  const scope = { context, definition, trx };
  const recordMatcher = matchedBy(definition, columns, givenValues);
  if (!recordMatcher.hasIds && recordMatcher.fields.length === 0)
    return inputs.map((input) => ({ kind: 'new', input }));
  const keys =
    recordMatcher.fields.length > 0
      ? await findByKeys({ context, definition, trx }, recordMatcher.fields, givenValues, inputs)
      : [];
  const idsOfRows = inputs.map(({ recordId }, index) => (recordId !== undefined ? [recordId] : (keys[index] ?? [])));
  const uniqueIds = idsOfRows.flatMap((ids) => (ids.length === 1 ? ids : []));
  const rows = await lockRows(scope, [...new Set(uniqueIds)]);
  const titles = await storedTitles(scope, columns, rows);
  const insertions = await storedInsertions(scope, columns, rows);
  const labels = recordMatcher.fields.map(({ label }) => label).join(' and ');
  const { one: singular, many: plural } = definition.labels;
  return inputs.map((input, index): RowPurpose => {
    const ids = itemAt(idsOfRows, index);
    const [id] = ids;
    const number = firstOf(itemAt(part, index).rows).number;
    const refuse = (message: string, name = recordMatcher.fields[0]?.name ?? 'id'): RowPurpose => {
      const errorField = input.recordId === undefined ? name : 'id';
      return { kind: 'refused', errors: { ...input.errors, [errorField]: message } };
    };
    const key = id !== undefined ? `id ${id}` : keyOf(recordMatcher.fields, input);
    const earlierRow = key === undefined ? undefined : seenKeys.add(key, number);
    if (earlierRow !== undefined)
      return refuse(
        input.recordId === undefined
          ? `Row ${earlierRow} has the same ${labels}: keep one of them.`
          : `Row ${earlierRow} is about the same record: keep one of them.`,
      );
    if (ids.length > 1)
      return refuse(`Several ${plural.toLowerCase()} have this ${labels}: give the ${recordIdHeading}.`);
    if (id === undefined) return input.errors.id ? { kind: 'refused', errors: input.errors } : { kind: 'new', input };
    const row = rows.get(id);
    if (!row)
      return refuse(
        `No ${singular.toLowerCase()} has this ${recordIdHeading}, or you have no access to it. Leave the cell empty to make a new one.`,
      );
    if (!isGranted(context.actor, definition.name, 'edit'))
      return refuse(
        `This ${singular.toLowerCase()} exists already, and you don't have permission to edit ${plural.toLowerCase()}.`,
      );
    const differingField = Object.keys(givenValues).find((name) => (row.values[name] ?? null) !== givenValues[name]);
    if (differingField !== undefined)
      return refuse(
        `This ${singular.toLowerCase()} has another ${fieldOf(definition, differingField).label} than the one chosen for the file.`,
      );
    return {
      kind: 'change',
      id,
      stored: row.values,
      input: changeOf(
        { context, definition },
        withStoredRows(
          { definition, columns, titles, insertions, timeZone: context.timeZone },
          itemAt(part, index),
          withStoredRelations(definition, columns, itemAt(part, index), input, row, titles),
          row,
        ),
        row,
        { empty, seenAt },
        recordMatcher,
      ),
    };
  });
}

/** Titles by resource and id. */
type Titles = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** The titles of everything that the records refer to in the columns of the file: one statement per target. */
async function storedTitles(
  { context, definition }: RecordScope,
  columns: readonly MatchedColumn[],
  rows: ReadonlyMap<number, StoredRow>,
): Promise<Titles> {
  const ids = new Map<string, Set<number>>();
  for (const { name, target } of relationColumns(definition, columns)) {
    const targetIds = ids.get(target) ?? new Set<number>();
    ids.set(target, targetIds);
    for (const { values } of rows.values()) for (const id of relatedIds(values[name])) targetIds.add(id);
  }
  for (const { field: path } of columns) {
    const rowColumn = path === null ? undefined : rowColumnAt(definition, path);
    if (rowColumn?.column.to === undefined) continue;
    const targetIds = ids.get(rowColumn.column.to) ?? new Set<number>();
    ids.set(rowColumn.column.to, targetIds);
    for (const { values } of rows.values())
      for (const row of rowsIn(values[rowColumn.field.name]))
        for (const id of relatedIds(row[rowColumn.column.name])) targetIds.add(id);
  }
  const titles = new Map<string, ReadonlyMap<number, string>>();
  for (const [target, targetIds] of ids)
    titles.set(target, await loadTitles({ context, definition: context.registry.getOrThrow(target) }, [...targetIds]));
  return titles;
}

function relationColumns(definition: Definition, columns: readonly MatchedColumn[]) {
  return columns.flatMap(({ field: name }, index) => {
    const target = name === null ? undefined : definition.fields[name]?.to;
    return name === null || target === undefined ? [] : [{ name, target, index }];
  });
}

const relatedIds = (value: unknown): number[] => [value ?? []].flat().filter((id) => typeof id === 'number');

/**
 * A cell with the title of what the record refers to leaves it, also where several records have this title, or where it
 * could not be chosen any more.
 */
function withStoredRelations(
  definition: Definition,
  columns: readonly MatchedColumn[],
  { cells }: JoinedRow,
  input: RowInput,
  { values }: StoredRow,
  titles: Titles,
): RowInput {
  const unchangedNames = relationColumns(definition, columns).flatMap(({ name, target, index }) => {
    const relatedTitles = relatedIds(values[name]).map((id) => titles.get(target)?.get(id));
    const text = (cells[index] ?? '').trim();
    const split = (list: string) =>
      list
        .split(',')
        .map((title) => title.trim().toLowerCase())
        .sort()
        .join();
    return relatedTitles.length > 0 && split(relatedTitles.join(', ')) === split(text) ? [name] : [];
  });
  if (unchangedNames.length === 0) return input;
  const omitUnchanged = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !unchangedNames.includes(name)));
  return { ...input, values: omitUnchanged(input.values), errors: omitUnchanged(input.errors) };
}

/** The rows that the stored rows of a field insert, by the name of the field. */
type Insertions = ReadonlyMap<string, InsertedRows>;

/** The rows that stored rows insert, of fields whose rows the file has without saying what they insert. */
async function storedInsertions(
  { context: { registry }, definition, trx }: TransactionScope,
  columns: readonly MatchedColumn[],
  rows: ReadonlyMap<number, StoredRow>,
): Promise<Insertions> {
  const insertionsByField = new Map<string, InsertedRows>();
  for (const field of rowsFields(definition)) {
    const rowColumns = columnsOfRows(columns, definition, field.name);
    const { insertedRows } = field;
    if (!insertedRows || rowColumns.every((column) => column.field === null)) continue;
    if (rowColumns.some((column) => column.field === insertedRows.by)) continue;
    const storedRows = [...rows.values()].flatMap(({ values }) => rowsIn(values[field.name]));
    insertionsByField.set(field.name, await loadInsertedRows(registry, field, storedRows, trx));
  }
  return insertionsByField;
}

/** The rows of records that exist, as the file has them: rows that the file repeats stay as they are stored. */
function withStoredRows(
  {
    definition,
    columns,
    titles,
    insertions: insertionsByField,
    timeZone,
  }: Pick<ReadingContext, 'definition' | 'columns'> & {
    readonly titles: Titles;
    readonly insertions: Insertions;
    readonly timeZone: string;
  },
  record: JoinedRow,
  input: RowInput,
  { values: storedValues }: StoredRow,
): RowInput {
  const values: ResourceRecord = { ...input.values };
  const errors = { ...input.errors };
  for (const field of rowsFields(definition)) {
    const { name } = field;
    if (!Array.isArray(values[name])) continue;
    const fileRows = rowsIn(values[name]);
    const rowColumns = columnsOfRows(columns, definition, name);
    const lines = linesOf(rowColumns, record);
    const filledColumns = rowColumns.flatMap(({ field: column }, index) =>
      column === null ? [] : [{ column: propertyOf(field.columns, column), index }],
    );
    const rows = rowDefinition(definition, field);
    const compareNames = filledColumns.map(({ column }) => column.name);
    const storedRows = rowsIn(storedValues[name]);
    const insertions = insertionsByField.get(name);
    const expanded = insertions && expandStoredRows(field, storedRows, insertions);
    const comparedRows = compareRows(
      compareNames,
      expanded?.rows ?? storedRows,
      fileRows,
      (row, position, columnName) => {
        const { column, index } = requireValue(
          filledColumns.find((filledColumn) => filledColumn.column.name === columnName),
          `the column ${columnName}`,
        );
        const value = itemAt(fileRows, position)[columnName] ?? null;
        const storedCell = row[columnName] ?? null;
        const title = column.to === undefined ? undefined : titles.get(column.to)?.get(storedCell as number);
        if (title !== undefined && isSameText(title, lines[position]?.cells[index] ?? '')) return true;
        if (errors[cellPath(field, position, columnName)] !== undefined) return false;
        if (isEmpty(value) || isEmpty(storedCell)) return isEmpty(value) && isEmpty(storedCell);
        return isEqualJson(value, storedCell) || readsTheSame(rows, column, storedCell, value, timeZone);
      },
    );
    for (const [position, columnName] of comparedRows.same) delete errors[cellPath(field, position, columnName)];
    if (comparedRows.rows) values[name] = expanded?.fold(comparedRows.rows, compareNames) ?? comparedRows.rows;
    else delete values[name];
  }
  return { ...input, values, errors };
}

const isSameText = (left: string, right: string) => left.trim().toLowerCase() === right.trim().toLowerCase();

/** The values of a row that may differ from those of its record. */
function changeOf(
  { context: { timeZone }, definition }: RecordScope,
  { values, errors, emptyFields }: RowInput,
  row: StoredRow,
  { empty, seenAt }: MatchOptions,
  recordMatcher: MatchedBy,
): Input {
  const fileValues: ResourceRecord = { ...values };
  if (empty === 'clear') {
    const keys = new Set(recordMatcher.fields.map(({ name }) => name));
    for (const name of emptyFields) {
      if (name !== 'id' && !rowColumnAt(definition, name) && !keys.has(name))
        fileValues[name] = isList(fieldOf(definition, name)) ? [] : null;
    }
  }
  for (const name of Object.keys(fileValues)) {
    if (readsTheSame(definition, fieldOf(definition, name), row.values[name], fileValues[name], timeZone))
      delete fileValues[name];
  }
  return { values: fileValues, errors, kept: [], ...(seenAt !== null && { seenVersion: seenAt }) };
}

const isList = (field: Field) => isRelations(field) || isRows(field);

/**
 * Whether a cell says what an export of the stored value says: a spreadsheet has no seconds and no formatting, which
 * must not be lost because a file came back unchanged.
 */
function readsTheSame(
  definition: Definition,
  field: Field,
  storedValue: unknown,
  fileValue: unknown,
  timeZone: string,
): boolean {
  if (isEmpty(storedValue) || isEmpty(fileValue) || field.to !== undefined) return false;
  const text = exportedText(field, storedValue, timeZone);
  const read = readAs({ formats: undefined, timeZone }, () => readCell(definition, field, text));
  if (!('value' in read) || read.value === null) return false;
  const value = fieldTypeOf(field).parse(read.value, field) ?? null;
  return fieldTypeOf(field).isEqual?.(value, fileValue) ?? value === fileValue;
}

function exportedText(field: Field, storedValue: unknown, timeZone: string): string {
  const cell = sheetTypeOf(field).toCell?.(storedValue, field) ?? fieldTypeOf(field).toText(storedValue, field);
  if (cell === null || typeof cell !== 'object') return String(cell ?? '');
  if ('day' in cell) return cell.day;
  if ('time' in cell) return cell.time.replace('T', ' ');
  if ('hours' in cell) return String(Math.round(cell.hours * 10_000) / 10_000);
  if ('amount' in cell) return String(cell.amount);
  return writtenMinute(cell.instant, timeZone);
}

/** The key that identifies the record of a row; undefined if a value is missing or wrong. */
function keyOf(fields: readonly Field[], { values, errors }: RowInput): string | undefined {
  if (fields.length === 0 || fields.some(({ name }) => errors[name] || isEmpty(values[name]))) return undefined;
  return JSON.stringify(fields.map(({ name }) => String(values[name]).toLowerCase()));
}

/** The ids of the visible records with the same values in all fields, by row. Texts are compared without case. */
async function findByKeys(
  { context, definition, trx }: TransactionScope,
  fields: readonly Field[],
  givenValues: ResourceRecord,
  inputs: readonly RowInput[],
): Promise<number[][]> {
  const idsOfInputs: number[][] = inputs.map(() => []);
  const keyedInputs = inputs.flatMap((input, index) =>
    input.recordId === undefined && keyOf(fields, input) !== undefined ? [{ input, index }] : [],
  );
  if (keyedInputs.length === 0) return idsOfInputs;
  const name = (index: number) => sql.id(`value${index}`);
  const equal = fields.map((field, index) => {
    const [columnType, column, value] = [storedTypeOf(field), sql.id('t', field.name), sql`sent.${name(index)}`];
    return columnType === 'text'
      ? sql`lower(${column}) = lower(${value})`
      : sql`${column} = ${value}::${sql.raw(columnType)}`;
  });
  const columns = fields.map(
    (field) => sql`${keyedInputs.map(({ input }) => String(input.values[field.name]))}::text[]`,
  );
  const givenConditions = Object.entries(givenValues).map(
    ([fieldName, value]) => sql`and ${sql.id('t', fieldName)} is not distinct from ${value}`,
  );
  const { registry, evaluationContext } = context;
  const visible = predicateToSql(visibleRowsFilter(context, definition), definition, 't', registry, evaluationContext);
  const { rows } = await sql<{ position: number; id: number }>`select sent.position::integer as position, t.id
    from unnest(${sql.join(columns)}) with ordinality sent (${sql.join([...fields.map((_, index) => name(index)), sql`position`])})
    join ${sql.id('public', definition.table)} t on ${sql.join(equal, sql` and `)} ${sql.join(givenConditions, sql` `)}
    where ${visible}`.execute(trx);
  for (const { position, id } of rows) itemAt(idsOfInputs, itemAt(keyedInputs, position - 1).index).push(id);
  return idsOfInputs;
}
