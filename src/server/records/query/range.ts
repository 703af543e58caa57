import { BadRequest } from '../../errors/errors';

/** The offset and the maximum number of rows. */
export interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** The maximum length of a list, with or without a range. */
export const maxRows = 10_000;
const maxRowIndex = 2_147_483_647;

/** Parses `[0,14]`: the first and the last row, both inclusive. Throws BadRequest. */
export function parseRange(text: unknown): Range {
  const match = typeof text === 'string' ? /^\s*\[\s*(\d{1,10})\s*,\s*(\d{1,10})\s*\]\s*$/.exec(text) : null;
  const [first, last] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || first > last || last > maxRowIndex) {
    throw new BadRequest('range must be the first and the last row, such as [0,14].');
  }
  return { offset: first, limit: Math.min(last - first + 1, maxRows) };
}
