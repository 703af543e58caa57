import { timeOfDay } from '../../../engine/field-types/time';
import { typedTime } from '../../../engine/forms/typed-values';
import { useDraft } from '../draft';
import type { InputProps } from '../part';
import { TextBox } from '../TextBox';

/** A time of day, typed in any usual format and shown without a day. */
export function Input({ value, onChange, ...props }: InputProps) {
  const format = (stored: unknown) => timeOfDay(String(stored), props.field);
  const draft = useDraft({ value, format, parse: typedTime, onChange });
  return <TextBox placeholder="HH:mm" {...props} {...draft} className="num" />;
}
