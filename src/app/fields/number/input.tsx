import type { FieldOf } from '../../../engine/definitions/definition';
import { withDecimalSign } from '../../../engine/formats/numbers';
import { formatDuration } from '../../../engine/formats/durations';
import { parseTypedDuration, parseTypedNumber } from '../../../engine/formats/parse-typed-values';
import { useTextDraft } from '../useTextDraft';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

const format = (value: unknown) => (typeof value === 'number' ? withDecimalSign(String(value)) : String(value));

const formatMinutes = (value: unknown) =>
  Number.isFinite(Number(value)) ? formatDuration(Number(value)) : String(value);

/** Minutes are typed as they are shown, and a number alone is hours: `4:30`, `4.5`. */
function parseMinutes(text: string): number | undefined {
  const hours = parseTypedNumber(text);
  return parseTypedDuration(text) ?? (hours === undefined ? undefined : Math.round(hours * 60));
}

/** A number, typed with a decimal point or comma. */
function Input({ value, onChange, ...props }: InputProps<FieldOf<'number'>>) {
  const { isMinutes, integer: isInteger } = props.field;
  const texts = isMinutes ? { format: formatMinutes, parse: parseMinutes } : { format, parse: parseTypedNumber };
  const draft = useTextDraft({ value, ...texts, onChange });
  const inputMode = isMinutes ? 'text' : isInteger ? 'numeric' : 'decimal';
  return <TextBox {...props} {...draft} className="num" inputMode={inputMode} />;
}

export default { Input } satisfies InputFacets<FieldOf<'number'>>;
