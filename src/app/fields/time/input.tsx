import type { FieldOf } from '../../../engine/definitions/definition';
import { timeOfDay } from '../../../engine/field-types/time';
import { parseTypedTime } from '../../../engine/forms/parse-typed-values';
import { useTextDraft } from '../useTextDraft';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

/** A time of day, typed in any usual format and shown without a day. */
function Input({ value, onChange, ...props }: InputProps<FieldOf<'time'>>) {
  const format = (stored: unknown) => timeOfDay(String(stored), props.field);
  const draft = useTextDraft({ value, format, parse: parseTypedTime, onChange });
  return <TextBox placeholder="HH:mm" {...props} {...draft} className="num" />;
}

export default { Input } satisfies InputFacets<FieldOf<'time'>>;
