import type pg from 'pg';
import { valueTypes } from './value-parsers';

/** Makes the text of a column's value into JSON, for columns that are not answered as they are stored. */
export type Writers = Readonly<Record<string, (text: string) => string>>;

/** How the driver gives the rows of a result. */
export interface ResultForm {
  readonly rowMode: 'array';
  readonly types: pg.CustomTypesConfig;
}

/** How a statement is asked whose rows go on as JSON: every value as the text that PostgreSQL sends. */
export const asTexts: ResultForm = {
  rowMode: 'array',
  types: { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig,
};

const number = (text: string) => JSON.stringify(Number(text));
const raw = (text: string) => text;
const list = (text: string) => `[${text.slice(1, -1)}]`;

/** By PostgreSQL's numbers of types: what reads the same as JSON is not parsed. */
const byType: Readonly<Record<number, (text: string) => string>> = {
  16: (text) => (text === 't' ? 'true' : 'false'),
  20: number,
  21: raw,
  23: raw,
  25: (text) => JSON.stringify(text),
  114: raw,
  700: number,
  701: number,
  1007: list,
  1700: number,
  3802: raw,
};

/**
 * Rows that were asked for `asTexts`, each as a JSON object: the same values as `valueTypes` reads. Nothing is parsed that
 * PostgreSQL has already written as JSON.
 */
export function jsonRows({ fields, rows }: pg.QueryArrayResult, writers: Writers = {}): string[] {
  const names = fields.map(({ name }) => `${JSON.stringify(name)}:`);
  const writes = fields.map(({ name, dataTypeID }) => writers[name] ?? byType[dataTypeID] ?? parsed(dataTypeID));
  return (rows as (string | null)[][]).map((row) => {
    let text = '{';
    for (let index = 0; index < row.length; index++) {
      const value = row[index]!;
      text += `${index === 0 ? '' : ','}${names[index]!}${value === null ? 'null' : writes[index]!(value)}`;
    }
    return `${text}}`;
  });
}

function parsed(type: number): (text: string) => string {
  const parse = valueTypes.getTypeParser(type, 'text') as (text: string) => unknown;
  return (text) => JSON.stringify(parse(text));
}
