import type { InputProps } from '../fieldComponents';
import { TextBox } from '../TextBox';

/** One line of text. */
export function Input({ value, onChange, ...props }: InputProps) {
  return <TextBox {...props} text={asText(value)} onText={(text) => onChange(text === '' ? undefined : text)} />;
}

function asText(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
