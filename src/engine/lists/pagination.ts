import { formatNumber, formatTotal } from '../formats/numbers';

/**
 * The page numbers to show, `null` for a gap: 1 2 3 … 6, 1 … 4 5 6 … 9.
 *
 * @example pageNumbers(5, 9); // [1, null, 4, 5, 6, null, 9]
 */
export function pageNumbers(page: number, count: number): (number | null)[] {
  const candidates = new Set([1, count, page - 1, page, page + 1]);
  if (page <= 2) candidates.add(3);
  if (page >= count - 1) candidates.add(count - 2);
  const pages = [...candidates].filter((number) => number >= 1 && number <= count).sort((left, right) => left - right);
  return pages.flatMap((number, index) => {
    const previous = pages[index - 1] ?? 0;
    if (number - previous === 2) return [number - 1, number];
    return number - previous > 2 ? [null, number] : [number];
  });
}

/**
 * The pages that can be opened of a list: all of them, and only the next one where their number is an estimate.
 *
 * @example pageCount({ page: 3, perPage: 15, shownCount: 15, total: 87 }); // 6
 */
export function pageCount({ page, perPage, shownCount, total }: ShownPage): number {
  return Number.isInteger(total) ? Math.ceil(total / perPage) : page + (shownCount < perPage ? 0 : 1);
}

interface ShownPage {
  readonly page: number;
  readonly perPage: number;
  readonly shownCount: number;
  readonly total: number;
}

/**
 * `1–15 of 8,700`.
 *
 * @example rangeText(1, 15, 15, 8700); // '1–15 of 8,700'
 */
export function rangeText(page: number, perPage: number, shownCount: number, total: number): string {
  if (total === 0 || shownCount === 0) return `0 of ${formatTotal(total)}`;
  const first = (page - 1) * perPage + 1;
  return `${formatNumber(first)}–${formatNumber(first + shownCount - 1)} of ${formatTotal(total)}`;
}
