import type {
  AnyRelationField,
  Definition,
  Field,
  ImportTool,
  ResourceRecord,
} from '../../engine/definitions/definition';
import { rowColumnAt, rowDefinition, rowsFields } from '../../engine/field-types/row-definition';
import { recordFieldsIn } from '../../engine/conditions/variables-in';
import { fieldTypeOf, sheetTypeOf } from '../../engine/field-types';
import {
  type ImportTarget,
  type MatchedColumn,
  normaliseHeading,
  recordIdHeading,
} from '../../engine/imports/headings';
import { readAs, type PersonalFormats } from '../../engine/formats/personal';
import type { JoinedRow } from '../../engine/imports/join-rows';
import {
  normaliseValue,
  type ColumnMeanings,
  type ValueMeaning,
  maxMeaningLength,
} from '../../engine/imports/value-meanings';
import { readCell, isExactValue, translateValue } from '../../engine/imports/read-cell';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { unavailableChoiceMessage, violationMessage } from '../../engine/validation/messages';
import { isRelation, parseId } from '../../engine/field-types/relation';
import { isRelations } from '../../engine/field-types/relations';
import { isCutText } from '../../engine/exports/long-texts';
import { cellPath } from '../../engine/field-types/rows';
import type { Transaction } from '../database/database';
import type { Input } from '../records/write/input';
import type { UnknownValues } from './import-request';
import { columnsOfRows, linesOf } from './record-lines';
import type { FoundReference, CellReference, ReferenceFinder } from './find-references';
import type { MissingRecords } from './missing-records';
import { firstOf, itemAt } from '../../engine/values/lookups';
import { fieldOf, importOf } from '../../engine/definitions/accessors';

const formulaMessage =
  'The formula has no value that could be imported: open the file in a spreadsheet and save it, or replace the formula with its value.';
const cutMessage =
  'The workbook has only the beginning of this text, as a cell holds 32,767 characters. Import a CSV with the whole text, or leave the column out.';
const pathSeparators = /[/>\\»→]/;

/** The data that all records of an import share. */
export interface ReadingContext {
  readonly definition: Definition;
  readonly columns: readonly MatchedColumn[];
  /** By column: the meanings of its values. */
  readonly meanings: readonly ColumnMeanings[];
  /** By column: the formats in which its days and numbers are read. */
  readonly cellFormats: readonly (PersonalFormats | undefined)[];
  /** The zone in which its times are meant. */
  readonly timeZone: string;
  /** The program that wrote the file. */
  readonly tool: ImportTool | undefined;
  readonly targets: readonly ImportTarget[];
  /** Values that are not read from the file. */
  readonly givenValues: ResourceRecord;
  /** The effect of a value that is no record and no choice on its row. */
  readonly unknown: UnknownValues;
  readonly formulas: ReadonlySet<string>;
  /** The file is a workbook, whose cells end where they are full. */
  readonly isWorkbook: boolean;
  readonly finder: ReferenceFinder;
  /** Makes records that the file names and that do not exist. */
  readonly missingRecords: MissingRecords;
  /** Where records are looked up and made. */
  readonly trx: Transaction;
  /** Collects the values that are looked up, if needed. */
  readonly seenValues?: SeenValues;
}

/** A relation's cell. */
interface Cell {
  readonly text: string;
  readonly column: number;
}

/** The values of a row, and what they are for. */
export interface RowInput extends Input {
  /** The id in the row's Record ID. */
  readonly recordId?: number;
  /** Fields whose cells are empty. */
  readonly emptyFields: readonly string[];
}

interface Draft {
  readonly values: ResourceRecord;
  readonly errors: FieldErrors;
  recordId?: number;
  readonly emptyFields: string[];
  /** The cell of each relation. */
  readonly cells: Map<string, Cell>;
}

/** Whether values of a field are looked up, so that they can be mapped to another meaning. */
export function isLookedUp(field: Field): boolean {
  return field.to !== undefined || (sheetTypeOf(field).choices !== undefined && !field.multiple);
}

/**
 * Converts rows of a file to records: cells by the types of their fields, relations by title or email address. The rows
 * within records are read in the same way.
 */
export async function readRecords(reading: ReadingContext, rows: readonly JoinedRow[]): Promise<RowInput[]> {
  const drafts = rows.map((row) => createDraft(reading, row));
  // In the order of the definition: choices of a relation may depend on a preceding one.
  for (const field of Object.values(reading.definition.fields)) {
    if (isRelation(field)) await resolveRelation(reading, field, drafts);
    else if (isRelations(field)) await resolveRelations(reading, field, drafts);
  }
  await readRows(reading, rows, drafts);
  return drafts.map(({ values, errors, recordId, emptyFields }) => ({
    values,
    errors,
    kept: [],
    emptyFields,
    ...(recordId !== undefined && { recordId }),
  }));
}

/** Reads the rows within all records at once; a fault is named by its place, such as `lines[2].amount`. */
async function readRows(
  reading: ReadingContext,
  records: readonly JoinedRow[],
  drafts: readonly Draft[],
): Promise<void> {
  const { definition, targets } = reading;
  const allowedColumns = reading.columns.filter(({ field }) => targets.some(({ value }) => value === field));
  for (const field of rowsFields(definition)) {
    const columns = columnsOfRows(reading.columns, definition, field.name).map((column, index) =>
      allowedColumns.includes(itemAt(reading.columns, index)) ? column : { ...column, field: null },
    );
    if (columns.every((column) => column.field === null)) continue;
    const lines = records.map((record, index) => {
      const recordLines = linesOf(columns, record);
      if (recordLines.length <= field.maxItems) return recordLines;
      itemAt(drafts, index).errors[field.name] = violationMessage(field, {
        keyword: 'maxItems',
        limit: field.maxItems,
      });
      return [];
    });
    const inputs = await readRecords(
      {
        ...reading,
        definition: rowDefinition(definition, field),
        columns,
        targets: Object.values(field.columns).map(({ name, label }) => ({ value: name, label, fields: [name] })),
        givenValues: {},
        tool: undefined,
      },
      lines.flat().map((line) => ({ rows: [line], cells: line.cells })),
    );
    let next = 0;
    drafts.forEach(({ values, errors, emptyFields }, record) => {
      const rowInputs = inputs.slice(next, (next += itemAt(lines, record).length));
      if (rowInputs.length === 0) return void emptyFields.push(field.name);
      values[field.name] = rowInputs.map((row) => row.values);
      rowInputs.forEach((row, index) => {
        for (const [name, message] of Object.entries(row.errors)) errors[cellPath(field, index, name)] = message;
      });
    });
  }
}

function createDraft(reading: ReadingContext, row: JoinedRow): Draft {
  const { definition, columns, targets, givenValues, formulas } = reading;
  const draft: Draft = { values: { ...givenValues }, errors: {}, emptyFields: [], cells: new Map() };
  columns.forEach(({ field: value }, column) => {
    const target = targets.find((candidate) => candidate.value === value);
    if (!target || rowColumnAt(definition, target.value)) return;
    const text = (row.cells[column] ?? '').trim();
    if (row.rows.some(({ number }) => formulas.has(`${number}:${column}`))) {
      draft.errors[firstOf(target.fields)] = formulaMessage;
      return;
    }
    if (text === '') return void draft.emptyFields.push(...target.fields);
    if (isCutText(row.cells[column] ?? '', reading.isWorkbook)) {
      draft.errors[firstOf(target.fields)] = cutMessage;
      return;
    }
    if (target.value === 'id') return readRecordId(text, draft);
    const parts = target.fields.length === 1 ? [text] : splitPath(text, target.fields.length);
    target.fields.forEach((name, index) => {
      if (parts[index]) readField(reading, fieldOf(definition, name), { text: parts[index], column }, draft);
    });
  });
  return draft;
}

function readRecordId(text: string, draft: Draft): void {
  const id = parseId(text);
  if (id === undefined) draft.errors.id = `${recordIdHeading} must be the number of a record, such as 7.`;
  else draft.recordId = id;
}

/** Splits `Payments / Refunds` into as many parts as there are fields; deeper levels stay in the last part. */
function splitPath(text: string, maxParts: number): string[] {
  const parts = text
    .split(pathSeparators)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length <= maxParts ? parts : [...parts.slice(0, maxParts - 1), parts.slice(maxParts - 1).join(' / ')];
}

function readField(reading: ReadingContext, field: Field, cell: Cell, draft: Draft): void {
  if (field.to !== undefined) {
    draft.cells.set(field.name, cell);
    return;
  }
  const { definition, tool, seenValues } = reading;
  const isExact = isLookedUp(field) && isExactValue(field, cell.text);
  const meaning = savedMeaning(reading, cell, isExact);
  const writer = { formats: reading.cellFormats[cell.column], timeZone: reading.timeZone };
  const read = readAs(writer, () => readCell(definition, field, meaning ? String(meaning.to ?? '') : cell.text, tool));
  if ('message' in read) {
    if (reading.unknown === 'refuse' || !isLookedUp(field)) draft.errors[field.name] = read.message;
  } else if (read.value !== null) draft.values[field.name] = fieldTypeOf(field).parse(read.value, field) ?? null;
  if (!seenValues || !isLookedUp(field)) return;
  const value = 'message' in read ? null : read.value;
  const meaningText = value === null ? null : fieldTypeOf(field).toText(value, field);
  const meaningSource: MeaningSource = 'message' in read ? null : meaning ? meaning.by : isExact ? 'exact' : 'word';
  seenValues.add(
    cell.column,
    cell.text,
    { means: meaningText, id: field.options ? (value as string) : meaningText, by: meaningSource },
    {},
  );
}

/**
 * The saved meaning of a cell: chosen by hand in any case, from an earlier import only unless the cell matches exactly.
 */
function savedMeaning(
  { meanings }: ReadingContext,
  { text, column }: Cell,
  isExact: boolean,
): ValueMeaning | undefined {
  const meaning = meanings[column]?.get(normaliseValue(text));
  return meaning?.by === 'memory' && isExact ? undefined : meaning;
}

interface ResolvedCell {
  readonly reference: FoundReference | null;
  readonly source: MeaningSource;
}

/**
 * Resolves cells of a relation: by a choice by hand, otherwise a title, otherwise an earlier choice, otherwise a known
 * word of other programs. An empty meaning is null.
 */
async function resolveCells(
  reading: ReadingContext,
  field: AnyRelationField,
  cells: readonly (Cell & { form: ResourceRecord })[],
) {
  const { definition, finder, tool, trx } = reading;
  const resolvedCells: (ResolvedCell | undefined)[] = cells.map(() => undefined);
  const ambiguous = new Set<number>();
  const attempt = async (
    meaningSource: MeaningSource,
    textOf: (cell: Cell) => ValueMeaning['to'] | undefined,
    isFinal: boolean,
  ) => {
    const questions: { index: number; reference: CellReference }[] = [];
    cells.forEach((cell, index) => {
      if (resolvedCells[index]) return;
      const text = textOf(cell);
      if (text === undefined) return;
      if (text === null || text === '') resolvedCells[index] = { reference: null, source: meaningSource };
      else questions.push({ index, reference: { field, text, form: cell.form } });
    });
    const foundReferences = await finder.find(
      questions.map(({ reference }) => reference),
      trx,
    );
    questions.forEach(({ index }, position) => {
      const foundReference = itemAt(foundReferences, position);
      if (foundReference === 'several') ambiguous.add(index);
      if (isRecord(foundReference) || isFinal)
        resolvedCells[index] = { reference: foundReference, source: isRecord(foundReference) ? meaningSource : null };
    });
  };
  const textByChoice = (choiceSource: ValueMeaning['by']) => (cell: Cell) => {
    const meaning = savedMeaning(reading, cell, false);
    return meaning?.by === choiceSource ? meaning.to : undefined;
  };
  await attempt('hand', textByChoice('hand'), true);
  await attempt('exact', ({ text }) => text, false);
  await attempt('memory', textByChoice('memory'), false);
  await attempt('word', ({ text }) => translateValue(definition, field, text, tool) ?? emailIn(text), false);
  return resolvedCells.map(
    (cell, index): ResolvedCell => cell ?? { reference: ambiguous.has(index) ? 'several' : 'none', source: null },
  );
}

/** The email address in `Ann Lee <ann@example.com>`. */
const emailIn = (text: string): string | undefined => /<([^<>\s]+@[^<>\s]+)>$/.exec(text)?.[1];

const isRecord = (reference: FoundReference): reference is Exclude<FoundReference, string> =>
  typeof reference === 'object';

async function resolveRelation(
  reading: ReadingContext,
  field: AnyRelationField,
  drafts: readonly Draft[],
): Promise<void> {
  const relationCells = drafts.flatMap((draft) => {
    const cell = draft.cells.get(field.name);
    return cell ? [{ ...cell, draft, form: draft.values }] : [];
  });
  if (relationCells.length === 0) return;
  const { missingRecords, trx } = reading;
  const resolvedCells = await resolveCells(reading, field, relationCells);
  const createsRecords = missingRecords.handles(field);
  for (const [index, { draft, text, column }] of relationCells.entries()) {
    const { reference, source: meaningSource } = itemAt(resolvedCells, index);
    const { id = null, title = null } = reference && isRecord(reference) ? reference : {};
    const newRecord =
      createsRecords && reference === 'none' ? await missingRecords.find(field, text, draft.values, trx) : undefined;
    const isNew = newRecord && 'id' in newRecord;
    reading.seenValues?.add(
      column,
      text,
      isNew ? { means: text, id: null, by: 'new' } : { means: title, id, by: meaningSource },
      choiceParents(field, draft.values),
    );
    if (isNew) draft.values[field.name] = newRecord.id;
    else if (reference && isRecord(reference)) draft.values[field.name] = reference.id;
    else if (newRecord) {
      if (reading.unknown === 'refuse') draft.errors[field.name] = newRecord.message;
    } else if (reference !== null && reading.unknown === 'refuse')
      draft.errors[field.name] = referenceMessage(field, reference, text);
  }
}

/** Resolves all names of all records at once: `Ann, Bert`. */
async function resolveRelations(
  reading: ReadingContext,
  field: AnyRelationField,
  drafts: readonly Draft[],
): Promise<void> {
  const parentCells = drafts.flatMap((draft) => {
    const cell = draft.cells.get(field.name);
    if (!cell) return [];
    const names = cell.text.split(/[,;\n]/).map((name) => name.trim());
    return names
      .filter((name) => name !== '')
      .map((text) => ({ text, column: cell.column, draft, form: draft.values }));
  });
  if (parentCells.length === 0) return;
  const resolvedCells = await resolveCells(reading, field, parentCells);
  const ids = new Map<Draft, number[]>();
  parentCells.forEach(({ draft, text, column }, index) => {
    const { reference, source: meaningSource } = itemAt(resolvedCells, index);
    const { id = null, title = null } = reference && isRecord(reference) ? reference : {};
    reading.seenValues?.add(column, text, { means: title, id, by: meaningSource }, choiceParents(field, draft.values));
    if (reference === null) return;
    if (isRecord(reference)) ids.set(draft, [...(ids.get(draft) ?? []), reference.id]);
    else if (reading.unknown === 'refuse') draft.errors[field.name] = referenceMessage(field, reference, text);
  });
  for (const [draft, parentId] of ids) if (!draft.errors[field.name]) draft.values[field.name] = parentId;
}

function referenceMessage(field: Field, reason: 'none' | 'several', text: string): string {
  return reason === 'several'
    ? `${field.label}: several records are named ${text.slice(0, 100)}.`
    : unavailableChoiceMessage(field);
}

/** The values that the choices of a field depend on. */
function choiceParents({ choices }: Field, values: ResourceRecord): ResourceRecord {
  const names = choices ? recordFieldsIn(choices) : [];
  return Object.fromEntries(names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

/** How the meaning of a value was determined; `new`: a record is made for it; null: it has no valid meaning. */
export type MeaningSource = 'exact' | 'word' | 'hand' | 'memory' | 'new' | null;

/** A value of a column that is looked up: the number of its records, and its meaning. */
export interface SeenValue {
  readonly text: string;
  readonly count: number;
  /** The title or label of its meaning, and the id or value; null: none. */
  readonly means: string | null;
  readonly id: number | string | null;
  readonly by: MeaningSource;
  /** The values that the choices depend on, from the first record with this value. */
  readonly form: ResourceRecord;
}

type ShownMeaning = Pick<SeenValue, 'means' | 'id' | 'by'>;

/** Maximum number of distinct values per column. */
const maxValues = 300;

/** Collects the values of columns that are looked up while a file is checked. */
export class SeenValues {
  private readonly columns = new Map<number, Map<string, { -readonly [Key in keyof SeenValue]: SeenValue[Key] }>>();

  /** Adds a value of a column. A value without a meaning in one record counts as having none. */
  add(
    column: number,
    text: string,
    { means: meaningText, id, by: meaningSource }: ShownMeaning,
    form: ResourceRecord,
  ): void {
    if (text.length > maxMeaningLength) return;
    let values = this.columns.get(column);
    if (!values) this.columns.set(column, (values = new Map()));
    const key = normaliseValue(text);
    const seenValue = values.get(key);
    if (!seenValue) {
      if (values.size < maxValues) values.set(key, { text, count: 1, means: meaningText, id, by: meaningSource, form });
      return;
    }
    seenValue.count++;
    if (meaningSource === null && seenValue.by !== null)
      Object.assign(seenValue, { means: meaningText, id, by: meaningSource, form });
  }

  /** The values of a column, those without a meaning first, each group in the order of the file. */
  ofColumn(column: number): readonly SeenValue[] {
    const values = [...(this.columns.get(column)?.values() ?? [])];
    return [
      ...values.filter(({ by: meaningSource }) => meaningSource === null),
      ...values.filter(({ by: meaningSource }) => meaningSource !== null),
    ];
  }
}

/** The cells of a column that are not imported. */
export interface IgnoredColumn {
  readonly column: string;
  /** Non-empty cells that are not imported, in all rows of the file. */
  readonly cells: number;
  readonly reason: string;
}

/** Counts the cells that an import ignores: in columns without a field, and cells that another column overrides. */
export class IgnoredCells {
  private readonly cells: number[];
  /** By column: a later column for the same field. */
  private readonly overriddenBy: readonly number[];
  private readonly isUsed: readonly boolean[];

  constructor(
    private readonly columns: readonly MatchedColumn[],
    definition: Definition,
  ) {
    const ignoredHeadings = new Set(importOf(definition).numbers.map(normaliseHeading));
    this.cells = columns.map(() => 0);
    this.isUsed = columns.map(
      ({ field, by: matchReason, heading }) =>
        field !== null || matchReason === 'errors' || ignoredHeadings.has(normaliseHeading(heading)),
    );
    this.overriddenBy = columns.map(({ field }, index) =>
      field === null || rowColumnAt(definition, field)
        ? -1
        : columns.findLastIndex((column, position) => position > index && column.field === field),
    );
  }

  count(part: readonly JoinedRow[]): void {
    const isFilled = (cells: readonly string[], index: number) => (cells[index] ?? '').trim() !== '';
    for (const { rows, cells } of part) {
      this.columns.forEach((_, index) => {
        if (!this.isUsed[index]) {
          for (const row of rows) if (isFilled(row.cells, index)) this.cells[index] = itemAt(this.cells, index) + 1;
        } else {
          const overriding = itemAt(this.overriddenBy, index);
          if (overriding >= 0 && isFilled(cells, index) && isFilled(cells, overriding))
            this.cells[index] = itemAt(this.cells, index) + 1;
        }
      });
    }
  }

  /** The columns with ignored cells, in the order of the file. */
  list(): IgnoredColumn[] {
    return this.columns.flatMap((column, index) => {
      const cells = itemAt(this.cells, index);
      return cells > 0 ? [{ column: column.heading, cells, reason: this.reasonOf(column, index) }] : [];
    });
  }

  private reasonOf({ by: matchReason, reason, label }: MatchedColumn, index: number): string {
    if (this.isUsed[index])
      return `“${itemAt(this.columns, itemAt(this.overriddenBy, index)).heading}” also fills ${label}, and is used where both have a value.`;
    if (reason) return reason;
    if (matchReason === 'hand') return 'You left it out.';
    if (matchReason === 'memory') return 'You left it out in an earlier import.';
    if (matchReason === 'tool') return 'There is no field for it here.';
    return 'No field has this name.';
  }
}
