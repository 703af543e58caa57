/** How the days or numbers of a column are written: which number of a day comes first, or the sign before decimals. */
export const cellFormats = ['dmy', 'mdy', 'point', 'comma'] as const;
export type CellFormat = (typeof cellFormats)[number];

/** Whether a column has days or numbers. */
export type FormatKind = 'date' | 'number';

/** The formats of days, and those of numbers. */
export const formatsOfKind: Readonly<Record<FormatKind, readonly CellFormat[]>> = {
  date: ['dmy', 'mdy'],
  number: ['point', 'comma'],
};
