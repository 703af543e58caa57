/**
 * Exact decimal numbers: `units / 10 ** scale`. Expressions calculate with them, so that memory and PostgreSQL's
 * `numeric` give the same results to the last digit.
 */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** The decimals to which numbers are read, and quotients are cut. */
export const maxScale = 20;

const power = (exponent: number): bigint => 10n ** BigInt(exponent);

/**
 * A number, or a text such as `-1.50` or `1e-7`, rounded to `maxScale` decimals; undefined if it is neither.
 *
 * @example toDecimal(1.25); // { units: 125n, scale: 2 }
 */
export function toDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,4}))?$/i.exec(String(value));
  if (!match) return undefined;
  const [, sign, integerDigits = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(`${integerDigits}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return round(scale >= 0 ? { units, scale } : { units: units * power(-scale), scale: 0 }, maxScale);
}

/** The number that is closest to a decimal. */
export function toNumber(decimal: Decimal): number {
  return Number(toPlainText(decimal));
}

/**
 * A decimal as text, without zeros at its end: `12.5`.
 *
 * @example toPlainText({ units: 12500n, scale: 3 }); // '12.5'
 */
export function toPlainText({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale, digits.length).replace(/0+$/, '');
  const text = `${digits.slice(0, digits.length - scale)}${scale > 0 && fraction !== '' ? `.${fraction}` : ''}`;
  return units < 0n ? `-${text}` : text;
}

function aligned(left: Decimal, right: Decimal): [bigint, bigint, number] {
  const scale = Math.max(left.scale, right.scale);
  return [left.units * power(scale - left.scale), right.units * power(scale - right.scale), scale];
}

export function add(left: Decimal, right: Decimal): Decimal {
  const [a, b, scale] = aligned(left, right);
  return { units: a + b, scale };
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  return add(left, { units: -right.units, scale: right.scale });
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return { units: left.units * right.units, scale: left.scale + right.scale };
}

/** The quotient, cut after `maxScale` decimals; undefined where the divisor is zero. */
export function divide(left: Decimal, right: Decimal): Decimal | undefined {
  if (right.units === 0n) return undefined;
  const units = (left.units * power(maxScale + right.scale)) / (right.units * power(left.scale));
  return { units, scale: maxScale };
}

/** Rounded to so many decimals; a half goes away from zero. */
export function round(decimal: Decimal, digits: number): Decimal {
  if (decimal.scale <= digits) return decimal;
  const factor = power(decimal.scale - digits);
  const [quotient, rest] = [decimal.units / factor, decimal.units % factor];
  const carry = (rest < 0n ? -rest : rest) * 2n >= factor ? (decimal.units < 0n ? -1n : 1n) : 0n;
  return { units: quotient + carry, scale: digits };
}

/** The greatest whole number that is not greater. */
export function floor({ units, scale }: Decimal): Decimal {
  const factor = power(scale);
  return { units: units / factor - (units % factor < 0n ? 1n : 0n), scale: 0 };
}

/** The least whole number that is not less. */
export function ceil({ units, scale }: Decimal): Decimal {
  const factor = power(scale);
  return { units: units / factor + (units % factor > 0n ? 1n : 0n), scale: 0 };
}

/** Below zero, zero or above, as in a sort. */
export function compare(left: Decimal, right: Decimal): number {
  const [a, b] = aligned(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A whole number; fractions are cut. */
export function toInteger({ units, scale }: Decimal): bigint {
  return units / power(scale);
}
