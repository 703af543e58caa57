import type { FieldOf } from '../../../engine/definitions/definition';
import { withDecimalSign } from '../../../engine/formats/numbers';
import { parseTypedNumber } from '../../../engine/formats/parse-typed-values';
import { useTextDraft } from '../useTextDraft';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

const format = (value: unknown) => (typeof value === 'number' ? withDecimalSign(String(value)) : String(value));

/** A number, typed with a decimal point or comma. */
function Input({ value, onChange, ...props }: InputProps<FieldOf<'number'>>) {
  const draft = useTextDraft({ value, format, parse: parseTypedNumber, onChange });
  return <TextBox {...props} {...draft} className="num" inputMode={props.field.integer ? 'numeric' : 'decimal'} />;
}

export default { Input } satisfies InputFacets<FieldOf<'number'>>;
