import type { InputProps } from './fieldType';
import { TextBox } from './TextBox';

/** One line of text: the input of types without one of their own. */
export function TextInput({ value, onChange, ...props }: InputProps) {
  return <TextBox {...props} text={asText(value)} onText={(text) => onChange(text === '' ? undefined : text)} />;
}

function asText(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
