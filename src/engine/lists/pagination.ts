import { formatNumber } from '../formats/numbers';

/**
 * The page numbers to show, `null` for a gap: 1 2 3 … 6, 1 … 4 5 6 … 9.
 *
 * @example pageNumbers(5, 9); // [1, null, 4, 5, 6, null, 9]
 */
export function pageNumbers(page: number, count: number): (number | null)[] {
  const near = new Set([1, count, page - 1, page, page + 1]);
  if (page <= 2) near.add(3);
  if (page >= count - 1) near.add(count - 2);
  const shown = [...near].filter((one) => one >= 1 && one <= count).sort((one, other) => one - other);
  return shown.flatMap((one, index) => {
    const before = shown[index - 1] ?? 0;
    if (one - before === 2) return [one - 1, one];
    return one - before > 2 ? [null, one] : [one];
  });
}

/**
 * `1–15 of 8,700`.
 *
 * @example rangeText(1, 15, 15, 8700); // '1–15 of 8,700'
 */
export function rangeText(page: number, perPage: number, shown: number, total: number): string {
  if (total === 0 || shown === 0) return `0 of ${formatNumber(total)}`;
  const first = (page - 1) * perPage + 1;
  return `${formatNumber(first)}–${formatNumber(first + shown - 1)} of ${formatNumber(total)}`;
}
