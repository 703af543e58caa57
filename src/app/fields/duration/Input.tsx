import { typeOf } from '../../../engine/field-types';
import type { InputProps } from '../part';
import { TextBox } from '../TextBox';

/** A duration in words. Computed, never typed. */
export function Input({ value, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      readOnly
      text={typeOf(props.field).toText(value, props.field)}
      onText={() => {}}
      className="num"
    />
  );
}
