import { fieldTypeOf } from '../../../engine/field-types';
import type { InputProps } from '../fieldComponents';
import { TextBox } from '../TextBox';

/** A duration in words. Computed, never typed. */
export function Input({ value, ...props }: InputProps) {
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
