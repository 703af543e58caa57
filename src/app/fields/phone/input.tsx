import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

/** A telephone number. */
function Input({ value, onChange, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      type="tel"
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}

export default { Input } satisfies InputFacets;
