import { parseTypedNumber } from '../../../engine/forms/parse-typed-values';
import { useTextDraft } from '../useTextDraft';
import type { InputProps } from '../fieldComponents';
import { TextBox } from '../TextBox';

/** A number, typed with a decimal point or comma. */
export function Input({ value, onChange, ...props }: InputProps) {
  const draft = useTextDraft({ value, format: String, parse: parseTypedNumber, onChange });
  return <TextBox {...props} {...draft} className="num" inputMode={props.field.integer ? 'numeric' : 'decimal'} />;
}
