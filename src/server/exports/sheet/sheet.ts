import type { Cell } from '../../../engine/exports/cells';

/** A spreadsheet that is written row by row; each call answers the bytes that are ready. */
export interface Sheet {
  rows(rows: readonly (readonly Cell[])[]): Uint8Array;
  end(): Uint8Array;
}

/** What a sheet is made with. */
export interface SheetOptions {
  /** What the sheet is called. */
  readonly title: string;
  readonly headings: readonly string[];
  /** IANA name of the zone that instants are shown in. */
  readonly timeZone: string;
  /** By column: the values that its drop-down offers. */
  readonly choices?: readonly (readonly string[] | undefined)[];
}
