import { recordTitleOf } from '../../chips/titleOf';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

/** The names of the records that reference this one. They are edited on their own side. */
function Input({ value, ...props }: InputProps) {
  const records = Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
  const text = records.map((record) => recordTitleOf(undefined, record)).join(', ');
  return <TextBox {...props} readOnly text={text} onText={() => {}} />;
}

export default { Input } satisfies InputFacets;
