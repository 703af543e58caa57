import { titleOf } from '../../chips/titleOf';
import type { InputProps } from '../part';
import { TextBox } from '../TextBox';

/** The names of the records that reference this one. They are edited on their own side. */
export function Input({ value, ...props }: InputProps) {
  const records = Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
  const text = records.map((record) => titleOf(undefined, record)).join(', ');
  return <TextBox {...props} readOnly text={text} onText={() => {}} />;
}
