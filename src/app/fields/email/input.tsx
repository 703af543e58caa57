import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

/** An email address. */
function Input({ value, onChange, ...props }: InputProps) {
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

export default { Input } satisfies InputFacets;
