const formatters = new Map<number, Intl.NumberFormat>();

/**
 * A number as its readers write it, with commas between thousands: `210,079.5`. `digits` are shown after the point at
 * most; trailing zeros are left out.
 *
 * @example formatNumber(210079.5); // '210,079.5'
 */
export function formatNumber(value: number, digits = 2): string {
  let formatter = formatters.get(digits);
  if (!formatter) formatters.set(digits, (formatter = new Intl.NumberFormat('en', { maximumFractionDigits: digits })));
  return formatter.format(value);
}

/** Adds thousands separators to a formatted number: `1234.50` → `1,234.50`. */
export function withSeparators(number: string): string {
  return number.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}

/**
 * Decimal hours: `210,079.5 h`.
 *
 * @example formatHours(210079.5); // '210,079.5 h'
 */
export function formatHours(hours: number): string {
  return `${formatNumber(hours)} h`;
}
