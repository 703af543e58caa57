import { isCurrencyCode, isKnownCurrency } from '../formats/money';
import { isMoney } from '../field-types/money';
import { fieldTypeOf } from '../field-types';
import { reportProblem, resolveReadableField, type CheckSubject } from './check-context';
import type { Field } from '../definitions/definition';
import { joinPointer } from '../definitions/problems';
import { requireValue } from '../values/lookups';

/** Checks the currency of a field of type money: a known code, or a field that has one. */
export function checkMoney(subject: CheckSubject, path: string, field: Field): void {
  if (!isMoney(field) || subject.source.fields[field.name]?.currency === undefined) return;
  const currencyPath = joinPointer(path, 'currency');
  if (field.currency !== undefined) return checkCode(subject, currencyPath, field.currency);
  const currencyField = resolveReadableField(subject, currencyPath, requireValue(field.currencyField, 'currencyField'));
  if (!currencyField) return;
  if (fieldTypeOf(currencyField).holds !== 'text' || fieldTypeOf(currencyField).hasMarkup || currencyField.multiple)
    return reportProblem(
      subject,
      currencyPath,
      `"${currencyField.name}" is of type ${currencyField.type}: a currency is the code of one, such as "EUR", or a select or text field that has the code.`,
    );
  for (const { value } of currencyField.options ?? [])
    if (!isCurrencyCode(value) || !isKnownCurrency(value))
      return reportProblem(
        subject,
        currencyPath,
        `"${currencyField.name}" has the option ${JSON.stringify(value)}, which is not the code of a currency. Options must be codes such as "EUR".`,
      );
}

function checkCode(subject: CheckSubject, path: string, code: string): void {
  if (!isKnownCurrency(code))
    reportProblem(subject, path, `There is no currency "${code}". Write a code of ISO 4217, such as "EUR".`);
}
