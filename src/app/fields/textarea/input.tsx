import type { FieldOf } from '../../../engine/definitions/definition';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';
import { linesOf } from './lines';

/** Multi-line text; the box grows with it. */
function Input({ value, onChange, ...props }: InputProps<FieldOf<'textarea'>>) {
  return (
    <TextBox
      {...props}
      lines={linesOf(props.field)}
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}

export default { Input } satisfies InputFacets<FieldOf<'textarea'>>;
