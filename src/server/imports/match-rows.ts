import { sql } from 'kysely';
import { isGranted } from '../../engine/access/access-decision';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { columnTypeOf, fieldTypeOf, sheetTypeOf } from '../../engine/field-types';
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
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { rowColumnAt, rowDefinition, rowsFields } from '../../engine/definitions/row-definition';
import { cellPath, isRows, rowsIn } from '../../engine/field-types/rows';
import { loadTitles } from '../records/read/titles';
import type { Input } from '../records/write/input';
import { lockRows, type StoredRow } from '../records/write/stored-row';
import { predicateToSql } from '../sql/predicate-to-sql';
import { compareRows } from './compare-rows';
import type { ImportRequest } from './import-request';
import { columnsOfRows, linesOf } from './record-lines';
import type { ReadingContext, RowInput } from './read-records';

/** What a row of a file does: a new record, a change of one that exists, or nothing because it is refused. */
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

  constructor(known: Iterable<readonly [string, number]> = []) {
    this.rows = new Map(known);
  }

  /** All rows so far, for another set that goes on from here. */
  entries(): Iterable<readonly [string, number]> {
    return this.rows;
  }

  /** The earlier row with the same key; undefined for the first. */
  add(key: string, row: number): number | undefined {
    const earlier = this.rows.get(key);
    if (earlier === undefined) this.rows.set(key, row);
    return earlier;
  }
}

/** By what the rows of a file find their records: the ids, and the fields of `match` if the file has all of them. */
export interface MatchedBy {
  readonly hasIds: boolean;
  readonly fields: readonly Field[];
}

export function matchedBy(definition: Definition, columns: readonly MatchedColumn[], given: ResourceRecord): MatchedBy {
  const filled = new Set(columns.flatMap(({ field }) => field?.split(',') ?? []));
  const { match } = definition.import!;
  const isComplete = match.every((name) => filled.has(name) || name in given);
  return { hasIds: filled.has('id'), fields: isComplete ? match.map((name) => definition.fields[name]!) : [] };
}

/** Finds the record of each row, by its id or by the fields of `match`: one statement for each of both. */
export async function matchRows(
  context: RequestContext,
  { definition, columns, given }: Omit<ReadingContext, 'trx'>,
  { empty, seenAt }: MatchOptions,
  part: readonly JoinedRow[],
  inputs: readonly RowInput[],
  seen: SeenKeys,
  trx: Transaction,
): Promise<RowPurpose[]> {
  const by = matchedBy(definition, columns, given);
  if (!by.hasIds && by.fields.length === 0) return inputs.map((input) => ({ kind: 'new', input }));
  const keys = by.fields.length > 0 ? await findByKeys(context, definition, by.fields, given, inputs, trx) : [];
  const idsOfRows = inputs.map(({ recordId }, index) => (recordId !== undefined ? [recordId] : (keys[index] ?? [])));
  const single = idsOfRows.flatMap((ids) => (ids.length === 1 ? ids : []));
  const rows = await lockRows(context, definition, [...new Set(single)], trx);
  const titles = await storedTitles(context, definition, columns, rows);
  const inserted = await storedInsertions(context, definition, columns, rows, trx);
  const labels = by.fields.map(({ label }) => label).join(' and ');
  const { one, many } = definition.labels;
  return inputs.map((input, index): RowPurpose => {
    const ids = idsOfRows[index]!;
    const [id] = ids;
    const number = part[index]!.rows[0]!.number;
    const refused = (message: string, name = by.fields[0]?.name ?? 'id'): RowPurpose => {
      const place = input.recordId === undefined ? name : 'id';
      return { kind: 'refused', errors: { ...input.errors, [place]: message } };
    };
    const key = id !== undefined ? `id ${id}` : keyOf(by.fields, input);
    const earlier = key === undefined ? undefined : seen.add(key, number);
    if (earlier !== undefined)
      return refused(
        input.recordId === undefined
          ? `Row ${earlier} has the same ${labels}: keep one of them.`
          : `Row ${earlier} is about the same record: keep one of them.`,
      );
    if (ids.length > 1)
      return refused(`Several ${many.toLowerCase()} have this ${labels}: give the ${recordIdHeading}.`);
    if (id === undefined) return input.errors.id ? { kind: 'refused', errors: input.errors } : { kind: 'new', input };
    const row = rows.get(id);
    if (!row)
      return refused(
        `No ${one.toLowerCase()} has this ${recordIdHeading}, or you have no access to it. Leave the cell empty to make a new one.`,
      );
    if (!isGranted(context.actor, definition.name, 'edit'))
      return refused(
        `This ${one.toLowerCase()} exists already, and you don't have permission to edit ${many.toLowerCase()}.`,
      );
    const other = Object.keys(given).find((name) => (row.values[name] ?? null) !== given[name]);
    if (other !== undefined)
      return refused(
        `This ${one.toLowerCase()} has another ${definition.fields[other]!.label} than the one chosen for the file.`,
      );
    return {
      kind: 'change',
      id,
      stored: row.values,
      input: changeOf(
        context,
        definition,
        withStoredRows(
          { definition, columns, titles, inserted, timeZone: context.timeZone },
          part[index]!,
          withStoredRelations(definition, columns, part[index]!, input, row, titles),
          row,
        ),
        row,
        { empty, seenAt },
        by,
      ),
    };
  });
}

/** Titles by resource and id. */
type Titles = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** The titles of everything that the records refer to in the columns of the file: one statement per target. */
async function storedTitles(
  context: RequestContext,
  definition: Definition,
  columns: readonly MatchedColumn[],
  rows: ReadonlyMap<number, StoredRow>,
): Promise<Titles> {
  const ids = new Map<string, Set<number>>();
  for (const { name, to } of relationColumns(definition, columns)) {
    const own = ids.get(to) ?? new Set<number>();
    ids.set(to, own);
    for (const { values } of rows.values()) for (const id of relatedIds(values[name])) own.add(id);
  }
  for (const { field: path } of columns) {
    const found = path === null ? undefined : rowColumnAt(definition, path);
    if (found?.column.to === undefined) continue;
    const own = ids.get(found.column.to) ?? new Set<number>();
    ids.set(found.column.to, own);
    for (const { values } of rows.values())
      for (const row of rowsIn(values[found.field.name]))
        for (const id of relatedIds(row[found.column.name])) own.add(id);
  }
  const titles = new Map<string, ReadonlyMap<number, string>>();
  for (const [to, of] of ids) titles.set(to, await loadTitles(context, context.registry.getOrThrow(to), [...of]));
  return titles;
}

function relationColumns(definition: Definition, columns: readonly MatchedColumn[]) {
  return columns.flatMap(({ field: name }, index) => {
    const to = name === null ? undefined : definition.fields[name]?.to;
    return to === undefined ? [] : [{ name: name!, to, index }];
  });
}

const relatedIds = (value: unknown): number[] => [value ?? []].flat().filter((one) => typeof one === 'number');

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
  const same = relationColumns(definition, columns).flatMap(({ name, to, index }) => {
    const named = relatedIds(values[name]).map((id) => titles.get(to)?.get(id));
    const text = (cells[index] ?? '').trim();
    const split = (list: string) =>
      list
        .split(',')
        .map((one) => one.trim().toLowerCase())
        .sort()
        .join();
    return named.length > 0 && split(named.join(', ')) === split(text) ? [name] : [];
  });
  if (same.length === 0) return input;
  const without = <Value>(of: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => !same.includes(name)));
  return { ...input, values: without(input.values), errors: without(input.errors) };
}

/** What the stored rows of a field insert, by the name of the field. */
type Insertions = ReadonlyMap<string, InsertedRows>;

/** The rows that stored rows insert, of fields whose rows the file has without saying what they insert. */
async function storedInsertions(
  { registry }: RequestContext,
  definition: Definition,
  columns: readonly MatchedColumn[],
  rows: ReadonlyMap<number, StoredRow>,
  trx: Transaction,
): Promise<Insertions> {
  const found = new Map<string, InsertedRows>();
  for (const field of rowsFields(definition)) {
    const own = columnsOfRows(columns, definition, field.name);
    if (!field.insertedRows || own.every((one) => one.field === null)) continue;
    if (own.some((one) => one.field === field.insertedRows!.by)) continue;
    const stored = [...rows.values()].flatMap(({ values }) => rowsIn(values[field.name]));
    found.set(field.name, await loadInsertedRows(registry, field, stored, trx));
  }
  return found;
}

/** The rows of records that exist, as the file has them: rows that the file repeats stay as they are stored. */
function withStoredRows(
  {
    definition,
    columns,
    titles,
    inserted,
    timeZone,
  }: Pick<ReadingContext, 'definition' | 'columns'> & {
    readonly titles: Titles;
    readonly inserted: Insertions;
    readonly timeZone: string;
  },
  record: JoinedRow,
  input: RowInput,
  { values: stored }: StoredRow,
): RowInput {
  const values: ResourceRecord = { ...input.values };
  const errors = { ...input.errors };
  for (const field of rowsFields(definition)) {
    const { name } = field;
    if (!Array.isArray(values[name])) continue;
    const sent = rowsIn(values[name]);
    const own = columnsOfRows(columns, definition, name);
    const lines = linesOf(own, record);
    const filled = own.flatMap(({ field: column }, index) =>
      column === null ? [] : [{ column: field.columns[column]!, index }],
    );
    const rows = rowDefinition(definition, field);
    const compareNames = filled.map(({ column }) => column.name);
    const before = rowsIn(stored[name]);
    const insertions = inserted.get(name);
    const expanded = insertions && expandStoredRows(field, before, insertions);
    const compared = compareRows(compareNames, expanded?.rows ?? before, sent, (row, at, columnName) => {
      const { column, index } = filled.find((one) => one.column.name === columnName)!;
      const value = sent[at]![columnName] ?? null;
      const kept = row[columnName] ?? null;
      const title = column.to === undefined ? undefined : titles.get(column.to)?.get(kept as number);
      if (title !== undefined && isSameText(title, lines[at]?.cells[index] ?? '')) return true;
      if (errors[cellPath(field, at, columnName)] !== undefined) return false;
      if (isEmpty(value) || isEmpty(kept)) return isEmpty(value) && isEmpty(kept);
      return isEqualJson(value, kept) || readsTheSame(rows, column, kept, value, timeZone);
    });
    for (const [at, columnName] of compared.same) delete errors[cellPath(field, at, columnName)];
    if (compared.rows) values[name] = expanded?.fold(compared.rows, compareNames) ?? compared.rows;
    else delete values[name];
  }
  return { ...input, values, errors };
}

const isSameText = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** The values of a row that may differ from those of its record. */
function changeOf(
  { timeZone }: RequestContext,
  definition: Definition,
  { values, errors, emptied }: RowInput,
  row: StoredRow,
  { empty, seenAt }: MatchOptions,
  by: MatchedBy,
): Input {
  const sent: ResourceRecord = { ...values };
  if (empty === 'clear') {
    const keys = new Set(by.fields.map(({ name }) => name));
    for (const name of emptied) {
      if (name !== 'id' && !rowColumnAt(definition, name) && !keys.has(name))
        sent[name] = isList(definition.fields[name]!) ? [] : null;
    }
  }
  for (const name of Object.keys(sent)) {
    if (readsTheSame(definition, definition.fields[name]!, row.values[name], sent[name], timeZone)) delete sent[name];
  }
  return { values: sent, errors, kept: [], ...(seenAt !== null && { seenVersion: seenAt }) };
}

const isList = (field: Field) => isRelations(field) || isRows(field);

/**
 * Whether a cell says what an export of the stored value says: a spreadsheet has no seconds and no formatting, which
 * must not be lost because a file came back unchanged.
 */
function readsTheSame(definition: Definition, field: Field, stored: unknown, sent: unknown, timeZone: string): boolean {
  if (isEmpty(stored) || isEmpty(sent) || field.to !== undefined) return false;
  const text = exportedText(field, stored, timeZone);
  const read = readAs({ formats: undefined, timeZone }, () => readCell(definition, field, text));
  if (!('value' in read) || read.value === null) return false;
  const value = fieldTypeOf(field).parse(read.value, field) ?? null;
  return fieldTypeOf(field).isEqual?.(value, sent) ?? value === sent;
}

function exportedText(field: Field, stored: unknown, timeZone: string): string {
  const cell = sheetTypeOf(field).toCell?.(stored, field) ?? fieldTypeOf(field).toText(stored, field);
  if (cell === null || typeof cell !== 'object') return String(cell ?? '');
  if ('day' in cell) return cell.day;
  if ('time' in cell) return cell.time.replace('T', ' ');
  if ('hours' in cell) return String(Math.round(cell.hours * 10_000) / 10_000);
  if ('amount' in cell) return String(cell.amount);
  return writtenMinute(cell.instant, timeZone);
}

/** What identifies the record of a row; undefined if a value is missing or wrong. */
function keyOf(fields: readonly Field[], { values, errors }: RowInput): string | undefined {
  if (fields.length === 0 || fields.some(({ name }) => errors[name] || isEmpty(values[name]))) return undefined;
  return JSON.stringify(fields.map(({ name }) => String(values[name]).toLowerCase()));
}

/** The ids of the visible records with the same values in all fields, by row. Texts are compared without case. */
async function findByKeys(
  context: RequestContext,
  definition: Definition,
  fields: readonly Field[],
  given: ResourceRecord,
  inputs: readonly RowInput[],
  trx: Transaction,
): Promise<number[][]> {
  const found: number[][] = inputs.map(() => []);
  const asked = inputs.flatMap((input, index) =>
    input.recordId === undefined && keyOf(fields, input) !== undefined ? [{ input, index }] : [],
  );
  if (asked.length === 0) return found;
  const name = (at: number) => sql.id(`value${at}`);
  const equal = fields.map((field, at) => {
    const [columnType, column, value] = [columnTypeOf(field)!, sql.id('t', field.name), sql`sent.${name(at)}`];
    return columnType === 'text'
      ? sql`lower(${column}) = lower(${value})`
      : sql`${column} = ${value}::${sql.raw(columnType)}`;
  });
  const columns = fields.map((field) => sql`${asked.map(({ input }) => String(input.values[field.name]))}::text[]`);
  const same = Object.entries(given).map(([one, value]) => sql`and ${sql.id('t', one)} is not distinct from ${value}`);
  const { registry, evaluationContext } = context;
  const visible = predicateToSql(visibleRowsFilter(context, definition), definition, 't', registry, evaluationContext);
  const { rows } = await sql<{ position: number; id: number }>`select sent.position::integer as position, t.id
    from unnest(${sql.join(columns)}) with ordinality sent (${sql.join([...fields.map((_, at) => name(at)), sql`position`])})
    join ${sql.id('public', definition.table)} t on ${sql.join(equal, sql` and `)} ${sql.join(same, sql` `)}
    where ${visible}`.execute(trx);
  for (const { position, id } of rows) found[asked[position - 1]!.index]!.push(id);
  return found;
}
