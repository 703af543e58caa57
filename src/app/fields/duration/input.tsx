import { fieldTypeOf } from '../../../engine/field-types';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

/** A duration in words. Computed, never typed. */
function Input({ value, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      readOnly
      text={fieldTypeOf(props.field).toText(value, props.field)}
      onText={() => {}}
      className="num"
    />
  );
}

export default { Input } satisfies InputFacets;
