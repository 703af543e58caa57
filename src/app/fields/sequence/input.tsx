import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

/** A key: forms show it, filters look for it. */
function Input({ value, onChange, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}

export default { Input } satisfies InputFacets;
