import type { Cell } from '../../../engine/field-types';

/** A spreadsheet that is written row by row; each method returns the bytes that are ready. */
export interface Sheet {
  rows(rows: readonly (readonly Cell[])[]): Uint8Array;
  end(): Uint8Array;
}

/** How comma-separated values are written for another program. */
export interface CsvOptions {
  readonly separator: string;
  readonly decimalSeparator: '.' | ',';
  /** With YYYY or YY, MM and DD. */
  readonly dateFormat: string;
  readonly encoding: 'utf-8' | 'utf-8-bom';
  /** Whether the first line has the headings. */
  readonly header: boolean;
}

/** Options of a sheet. */
export interface SheetOptions {
  /** The name of the sheet. */
  readonly title: string;
  readonly headings: readonly string[];
  /** IANA name of the time zone of instants. */
  readonly timeZone: string;
  /** By column: the values of its drop-down. */
  readonly choices?: readonly (readonly string[] | undefined)[];
  /** Default: as spreadsheets read them. */
  readonly csv?: CsvOptions;
}
