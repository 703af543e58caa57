import { cachedValue } from './cached-value';
import { withSeparators } from './numbers';
import { personal } from './personal';

/**
 * How many digits amounts of a currency have after the point, for those that do not have two (ISO 4217). Not taken from
 * `Intl`, whose data changes with its release: a column's type must not.
 */
const unusualDigits: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const digitsByCode = new Map(
  Object.entries(unusualDigits).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)])),
);

/** The digits of an amount whose currency is not known beforehand. */
export const usualCurrencyDigits = 2;

/** How many digits amounts of a currency have after the point: two of `EUR`, none of `JPY`. */
export function currencyDigits(code: string): number {
  return digitsByCode.get(code) ?? usualCurrencyDigits;
}

/**
 * Whether a text is written like the code of a currency, which no name of a field is.
 *
 * @example isCurrencyCode('EUR'); // true
 */
export function isCurrencyCode(text: unknown): text is string {
  return typeof text === 'string' && /^[A-Z]{3}$/.test(text);
}

let knownCodes: ReadonlySet<string> | undefined;

/** Whether there is a currency of this code. */
export function isKnownCurrency(code: string): boolean {
  return (knownCodes ??= new Set(Intl.supportedValuesOf('currency'))).has(code);
}

const formatters = new Map<string, Intl.NumberFormat>();
const maxFormatters = 100;

/**
 * An amount with its currency: `€1,234.50`, `CHF 12.00`. A text that is no code of a currency is put after the number; without a
 * currency it is the number alone.
 */
export function formatMoney(amount: number, currency: unknown, digits: number): string {
  if (!isCurrencyCode(currency)) {
    const number = withSeparators(amount.toFixed(digits));
    return typeof currency === 'string' && currency !== '' ? `${number} ${currency}` : number;
  }
  const options = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  if (personal) return personal.number(amount, options);
  const key = `${currency}${digits}`;
  return cachedValue(formatters, maxFormatters, key, () => new Intl.NumberFormat('en', options)).format(amount);
}
