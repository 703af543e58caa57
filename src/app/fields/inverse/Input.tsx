import { titleOf } from '../../chips/titleOf';
import type { InputProps } from '../part';
import { TextBox } from '../TextBox';

/** The records that point here, by name. They are changed on their own side. */
export function Input({ value, ...props }: InputProps) {
  const records = Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
  const text = records.map((record) => titleOf(undefined, record)).join(', ');
  return <TextBox {...props} readOnly text={text} onText={() => {}} />;
}
