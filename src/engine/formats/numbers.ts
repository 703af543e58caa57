import { personal } from './personal';

const formatters = new Map<number, Intl.NumberFormat>();
let roundFormatter: Intl.NumberFormat | undefined;

/**
 * A number as its readers write it, with commas between thousands: `210,079.5`. `digits` are shown after the point at
 * most; trailing zeros are left out.
 *
 * @example formatNumber(210079.5); // '210,079.5'
 */
export function formatNumber(value: number, digits = 2): string {
  if (personal) return personal.number(value, { maximumFractionDigits: digits });
  let formatter = formatters.get(digits);
  if (!formatter) formatters.set(digits, (formatter = new Intl.NumberFormat('en', { maximumFractionDigits: digits })));
  return formatter.format(value);
}

/**
 * A number of records as lists show it. An estimate is carried as half a record more, which no counted number has: sums
 * and differences of it and counted numbers stay estimates.
 *
 * @example formatTotal(4_100_000.5); // 'about 4.1 million'
 */
export function formatTotal(total: number): string {
  if (Number.isInteger(total)) return formatNumber(total);
  roundFormatter ??= new Intl.NumberFormat('en', { notation: 'compact', compactDisplay: 'long' });
  return `about ${roundFormatter.format(total).replace(/[\d.]+/, (digits) => formatNumber(Number(digits)))}`;
}

/** Adds thousands separators to a formatted number: `1234.50` → `1,234.50`, or as the person chose. */
export function withSeparators(number: string): string {
  if (personal) return rewritten(personal, number, true);
  return number.replace(/^-?\d+/, (integerDigits) => integerDigits.replace(/\B(?=(\d{3})+$)/g, ','));
}

/**
 * A number as it is typed, without thousands separators: `1234.50`, or with the decimal comma of the person.
 *
 * @example withDecimalSign('1234.50'); // '1234.50'
 */
export function withDecimalSign(number: string): string {
  return personal ? rewritten(personal, number, false) : number;
}

/** A number with as many decimals as it was written with, which may be as small as `1e-7`. */
function rewritten(formats: NonNullable<typeof personal>, number: string, useGrouping: boolean): string {
  const value = Number(number);
  if (!Number.isFinite(value)) return number;
  const digits = number.split('.')[1]?.length ?? 0;
  const isShort = digits <= 20 && !number.includes('e');
  const decimals = isShort ? { minimumFractionDigits: digits } : {};
  return formats.number(value, { useGrouping, ...decimals, maximumFractionDigits: isShort ? digits : 20 });
}

/**
 * Decimal hours: `210,079.5 h`.
 *
 * @example formatHours(210079.5); // '210,079.5 h'
 */
export function formatHours(hours: number): string {
  return `${formatNumber(hours)} h`;
}
