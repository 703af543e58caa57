import type { Field, FieldOf, ResourceRecord } from '../definitions/definition';
import { meansCurrency, splitAmount } from '../formats/amounts';
import { currencyDigits, formatMoney, isCurrencyCode, usualCurrencyDigits } from '../formats/money';
import type { FieldType, SheetType } from './field-type';
import { brokenDecimals, decimalColumn, greatestDecimal, parseNumber } from './number';

/** An exact amount in one currency, or in that of each record. */
export const money: FieldType<FieldOf<'money'>> = {
  holds: 'number',
  normalise: ({ currency = '', digits, ...source }) =>
    isCurrencyCode(currency)
      ? { ...source, currency, digits: digits ?? currencyDigits(currency) }
      : { ...source, currencyField: currency, digits: digits ?? usualCurrencyDigits },
  column: null,
  columnOf: ({ digits }) => decimalColumn(digits),
  brokenRule: (value, { digits }) => brokenDecimals(value, digits),
  schema: ({ digits, min = -Infinity, max = Infinity }) => {
    const limit = greatestDecimal(digits);
    return { type: 'number', minimum: Math.max(min, -limit), maximum: Math.min(max, limit) };
  },
  parse: (value) => (value === '' ? null : value),
  fromText: parseNumber,
  toText: (value, field, record) =>
    typeof value === 'number' ? formatMoney(value, currencyOf(field, record), field.digits) : '',
  shownWith: ({ currencyField }) => (currencyField === undefined ? [] : [currencyField]),
  unit: ({ currency, currencyField }) =>
    currencyField === undefined ? ` in ${currency}` : ` in the currency of ${currencyField}`,
  searchable: false,
  sortable: true,
  filterable: true,
  hasRangeFilter: true,
  isSummable: true,
  isDetail: true,
  width: 'quarter',
  fitsCell: true,
};

/**
 * Whether a field has amounts of money.
 *
 * @example isMoney(definition.fields.price); // true
 */
export function isMoney(field: Field): field is FieldOf<'money'> {
  return field.type === 'money';
}

/**
 * The currency of a record's amount, if it is known.
 *
 * @example currencyOf(price, { currency: 'EUR' }); // 'EUR'
 */
export function currencyOf(field: FieldOf<'money'>, record: ResourceRecord | undefined): unknown {
  return field.currencyField === undefined ? field.currency : record?.[field.currencyField];
}

export const moneySheet: SheetType<FieldOf<'money'>> = {
  toCell: (value, field, record) => {
    if (typeof value !== 'number') return undefined;
    const currency = currencyOf(field, record);
    return { amount: value, digits: field.digits, ...(isCurrencyCode(currency) && { currency }) };
  },
  fromCell: (text, field) => {
    const amount = splitAmount(text);
    return amount && meansCurrency(amount.currency, field.currency) ? amount.amount : undefined;
  },
  cellProblem: (text, field) => {
    const amount = splitAmount(text);
    if (!amount || meansCurrency(amount.currency, field.currency)) return undefined;
    return field.currency === undefined
      ? `${field.label} must be a number without “${amount.currency}”: the currency has a column of its own.`
      : `${field.label} must be in ${field.currency}, not in “${amount.currency}”.`;
  },
  example: (field) => Math.max(field.min ?? 1, 1),
};
