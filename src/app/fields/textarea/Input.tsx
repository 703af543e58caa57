import type { InputProps } from '../fieldComponents';
import { TextBox } from '../TextBox';
import { linesOf } from './lines';

/** Multi-line text; the box grows with it. */
export function Input({ value, onChange, ...props }: InputProps) {
  return (
    <TextBox
      {...props}
      lines={linesOf(props.field)}
      text={typeof value === 'string' ? value : ''}
      onText={(text) => onChange(text === '' ? undefined : text)}
    />
  );
}
