import type { Condition, Field } from '../definitions/definition';
import { isMoney } from '../field-types/money';
import { isCurrencyCode } from '../formats/money';

/**
 * The currency of amounts of many records that match a condition: that of the field, or the one that the condition asks
 * for. Undefined if they may have several.
 *
 * @example commonCurrency(amount, { currency: 'EUR', state: 'paid' }); // 'EUR'
 */
export function commonCurrency(field: Field, condition: Condition | undefined): string | undefined {
  if (!isMoney(field)) return undefined;
  if (field.currencyField === undefined) return field.currency;
  const currencyTest = condition?.[field.currencyField];
  const code =
    typeof currencyTest === 'object' && currencyTest !== null && '$eq' in currencyTest
      ? currencyTest.$eq
      : currencyTest;
  return isCurrencyCode(code) ? code : undefined;
}
