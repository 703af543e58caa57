import type { FieldOf } from '../../../engine/definitions/definition';
import { currencyOf } from '../../../engine/field-types/money';
import { meansCurrency, splitAmount } from '../../../engine/formats/amounts';
import { withDecimalSign } from '../../../engine/formats/numbers';
import { useTextDraft } from '../useTextDraft';
import type { InputFacets, InputProps } from '../fieldType';
import * as styles from '../fields.module.css';
import { TextBox } from '../TextBox';

/** An amount, with the code of its currency beside it. A code or sign that is typed must be of that currency. */
function Input({ value, onChange, ...props }: InputProps<FieldOf<'money'>>) {
  const { field } = props;
  const currencyValue = currencyOf(field, props.siblingValues);
  const currency = typeof currencyValue === 'string' && currencyValue !== '' ? currencyValue : undefined;
  const draft = useTextDraft({
    value,
    format: (amount) => (typeof amount === 'number' ? withDecimalSign(amount.toFixed(field.digits)) : String(amount)),
    parse: (text) => {
      const amountParts = splitAmount(text);
      return amountParts && meansCurrency(amountParts.currency, currency) ? amountParts.amount : undefined;
    },
    onChange,
  });
  const code = currency && <span className={styles.currency}>{currency}</span>;
  return <TextBox {...props} {...draft} className="num" inputMode="decimal" end={code} />;
}

export default { Input } satisfies InputFacets<FieldOf<'money'>>;
