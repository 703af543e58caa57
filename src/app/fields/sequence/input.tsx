import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

/** A key, with digits of one width: forms show it, filters look for it. */
function Input({ value, onChange, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
      className="num"
    />
  );
}

export default { Input } satisfies InputFacets;
