import { typedNumber } from '../../../engine/forms/typed-values';
import { useDraft } from '../draft';
import type { InputProps } from '../part';
import { TextBox } from '../TextBox';

/** A number, typed with a decimal point or comma. */
export function Input({ value, onChange, ...props }: InputProps) {
  const draft = useDraft({ value, format: String, parse: typedNumber, onChange });
  return <TextBox {...props} {...draft} className="num" inputMode={props.field.integer ? 'numeric' : 'decimal'} />;
}
