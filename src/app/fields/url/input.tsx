import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

/** An address on the web. */
function Input({ value, onChange, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      inputMode="url"
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}

export default { Input } satisfies InputFacets;
