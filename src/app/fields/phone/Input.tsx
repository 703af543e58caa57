import type { InputProps } from '../fieldComponents';
import { TextBox } from '../TextBox';

/** A telephone number. */
export function Input({ value, onChange, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      type="tel"
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}
