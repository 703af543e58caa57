import { timeOfDay } from '../../../engine/field-types/time';
import { parseTypedTime } from '../../../engine/forms/parse-typed-values';
import { useTextDraft } from '../useTextDraft';
import type { InputProps } from '../fieldComponents';
import { TextBox } from '../TextBox';

/** A time of day, typed in any usual format and shown without a day. */
export function Input({ value, onChange, ...props }: InputProps) {
  const format = (stored: unknown) => timeOfDay(String(stored), props.field);
  const draft = useTextDraft({ value, format, parse: parseTypedTime, onChange });
  return <TextBox placeholder="HH:mm" {...props} {...draft} className="num" />;
}
