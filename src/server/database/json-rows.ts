import type pg from 'pg';
import { valueTypes } from './value-parsers';

/** Converts the text of a column's value to JSON, for columns whose response differs from what is stored. */
export type ColumnWriters = Readonly<Record<string, (text: string) => string>>;

/** A row as JSON text. */
export interface JsonRow {
  readonly text: string;
  /** The values of internal columns, which are not part of it. */
  readonly beside: Readonly<Record<string, unknown>>;
}

/** Whether a column is only for the program. Such names contain a space, so that no field can have them. */
export function isInternalColumn(name: string): boolean {
  return name.includes(' ');
}

/** How the driver returns the rows of a result. */
export interface ResultFormat {
  readonly rowMode: 'array';
  readonly types: pg.CustomTypesConfig;
}

/** Requests every value as the text that PostgreSQL sends, for rows that are passed on as JSON. */
export const textFormat: ResultFormat = {
  rowMode: 'array',
  types: { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig,
};

const number = (text: string) => JSON.stringify(Number(text));
const raw = (text: string) => text;
const list = (text: string) => `[${text.slice(1, -1)}]`;
/** Whole numbers of up to so many characters, such as ids, are exact as numbers of JavaScript. */
const maxExactLength = 15;
const longNumberOrNull = /\d{16}|NULL/;

/** By PostgreSQL's type OIDs: values whose text is valid JSON are not parsed. */
const jsonWriters: Readonly<Record<number, (text: string) => string>> = {
  16: (text) => (text === 't' ? 'true' : 'false'),
  20: (text) => (text.length <= maxExactLength ? text : number(text)),
  21: raw,
  23: raw,
  25: (text) => JSON.stringify(text),
  114: raw,
  700: number,
  701: number,
  1007: list,
  1016: (text) => (longNumberOrNull.test(text) ? reparsedJson(1016)(text) : list(text)),
  1700: number,
  3802: raw,
};

/** How a column of a result is written. */
interface ColumnAsJson {
  readonly name: string;
  /** `"name":`; undefined for internal columns. */
  readonly key: string | undefined;
  readonly write: (text: string) => string;
  /** Parses the value of an internal column. */
  readonly parse: (text: string) => unknown;
}

interface WrittenColumns {
  readonly writers: ColumnWriters;
  readonly columns: readonly ColumnAsJson[];
}

const noWriters: ColumnWriters = {};
/** The columns of a prepared statement are the same list each time. */
const writtenColumns = new WeakMap<readonly pg.FieldDef[], WrittenColumns>();

function columnsAsJson(fields: readonly pg.FieldDef[], writers: ColumnWriters): readonly ColumnAsJson[] {
  const previous = writtenColumns.get(fields);
  if (previous?.writers === writers) return previous.columns;
  const columns = fields.map(({ name, dataTypeID }) => ({
    name,
    key: isInternalColumn(name) ? undefined : `${JSON.stringify(name)}:`,
    write: writers[name] ?? jsonWriters[dataTypeID] ?? reparsedJson(dataTypeID),
    parse: parserOf(dataTypeID),
  }));
  writtenColumns.set(fields, { writers, columns });
  return columns;
}

/**
 * Converts rows requested in `textFormat` to JSON objects with the same values as `valueTypes` would parse. Values
 * that PostgreSQL has already written as JSON are not parsed.
 */
export function toJsonRows({ fields, rows }: pg.QueryArrayResult, writers: ColumnWriters = noWriters): JsonRow[] {
  const columns = columnsAsJson(fields, writers);
  return (rows as (string | null)[][]).map((row) => {
    let text = '';
    const otherValues: Record<string, unknown> = {};
    let index = 0;
    for (const { name, key, write, parse } of columns) {
      const value = row[index++] ?? null;
      if (key === undefined) otherValues[name] = value === null ? null : parse(value);
      else text += `${text === '' ? '' : ','}${key}${value === null ? 'null' : write(value)}`;
    }
    return { text: `{${text}}`, beside: otherValues };
  });
}

function parserOf(type: number): (text: string) => unknown {
  return valueTypes.getTypeParser(type, 'text') as (text: string) => unknown;
}

function reparsedJson(type: number): (text: string) => string {
  const parse = parserOf(type);
  return (text) => JSON.stringify(parse(text));
}
