import type { InputProps } from '../fieldComponents';
import { TextBox } from '../TextBox';

/** An email address. */
export function Input({ value, onChange, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      type="text"
      inputMode="email"
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}
