import type { Cell } from '../../../engine/field-types';

/** A spreadsheet that is written row by row; each method returns the bytes that are ready. */
export interface Sheet {
  rows(rows: readonly (readonly Cell[])[]): Uint8Array;
  end(): Uint8Array;
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
}
