import { typedTime } from '../../../engine/forms/typed-values';
import { useDraft } from '../draft';
import type { InputProps } from '../part';
import { TextBox } from '../TextBox';

/** A time of day, typed in any usual form. */
export function Input({ value, onChange, ...props }: InputProps) {
  const draft = useDraft({ value, format: String, parse: typedTime, onChange });
  return <TextBox placeholder="HH:mm" {...props} {...draft} className="num" />;
}
