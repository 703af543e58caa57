import { parsePlainNumber } from './parse-number';
import { personal, personalLocale } from './personal';

/**
 * Whether what is written beside an amount means a currency. Nothing always does.
 *
 * @example meansCurrency('€', 'EUR'); // true
 */
export function meansCurrency(amountSign: string, code: string | undefined): boolean {
  if (amountSign === '') return true;
  return code !== undefined && currencySigns(code).some((sign) => sign.toLowerCase() === amountSign.toLowerCase());
}

/** The ways in which people write a currency beside an amount: `EUR`, `€`. */
function currencySigns(code: string): readonly string[] {
  const displays = ['symbol', 'narrowSymbol'] as const;
  const locales = personal ? ['en', personalLocale('en')] : ['en'];
  const kinds = locales.flatMap((locale) => displays.map((display) => [locale, display] as const));
  const signs = kinds.map(([locale, currencyDisplay]) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: code, currencyDisplay })
      .formatToParts(0)
      .filter(({ type }) => type === 'currency')
      .map(({ value }) => value)
      .join(''),
  );
  return [...new Set([code, ...signs])];
}

/** An amount as people write it: its number, and what is written beside it. */
export interface WrittenAmount {
  readonly amount: number;
  /** A code, a sign, or nothing. */
  readonly currency: string;
}

/**
 * Splits a written amount into its number and what is written beside it: `1,234.50 €`, `EUR 1.234,50`, `-$5`. A
 * single comma or point is before decimals, unless it stands between thousands as the person writes them. Undefined if it is no amount.
 *
 * @example splitAmount('1,234.50 €'); // { amount: 1234.5, currency: '€' }
 */
export function splitAmount(text: string): WrittenAmount | undefined {
  const plainText = personal ? text.replace(/\u2212/g, '-') : text;
  const parts = /^([+-]?)\s*([^\d\s.,+'’-]*)\s*([+-]?)\s*(\d[\d.,\s'’]*|[.,]\d+)([^\d]*)$/.exec(plainText.trim());
  if (!parts) return undefined;
  const [, sign = '', prefix = '', innerSign = '', numberText = '', suffix = ''] = parts;
  const currency = [prefix, suffix.trim()].filter((affix) => affix !== '');
  const number = personal ? personal.parseNumber(numberText) : parsePlainNumber(numberText);
  if (number === undefined || currency.length > 1 || (sign !== '' && innerSign !== '')) return undefined;
  return { amount: Number(`${sign || innerSign}${number}`), currency: currency[0] ?? '' };
}
