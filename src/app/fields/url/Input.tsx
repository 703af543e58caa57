import type { InputProps } from '../fieldComponents';
import { TextBox } from '../TextBox';

/** An address on the web. */
export function Input({ value, onChange, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      inputMode="url"
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}
