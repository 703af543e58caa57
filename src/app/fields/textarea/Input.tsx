import type { InputProps } from '../part';
import { TextBox } from '../TextBox';

/** Text of several lines; the box grows with it. */
export function Input({ value, onChange, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      lines={Math.max(2, props.field.lines ?? 3)}
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}
