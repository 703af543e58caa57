import { formatDate } from '../../../engine/formats/dates';
import { parseTypedDate } from '../../../engine/formats/parse-typed-values';
import { CalendarButton } from '../CalendarButton';
import { useTextDraft } from '../useTextDraft';
import { datePlaceholder, localToday } from '../../data/localTime';
import type { InputProps } from '../fieldType';
import { TextBox } from '../TextBox';

/** A day, typed in any usual format or picked from a calendar. */
export function DateInput({ value, onChange, notBefore, ...props }: InputProps) {
  const draft = useTextDraft({
    value,
    format: (date) => formatDate(String(date)),
    parse: (text) => parseTypedDate(text, localToday()),
    onChange,
  });
  return (
    <TextBox
      placeholder={datePlaceholder()}
      {...props}
      {...draft}
      end={
        props.readOnly ? undefined : (
          <CalendarButton
            label={props.field.label}
            value={value}
            notBefore={notBefore}
            onPick={(date) => {
              draft.onBlur();
              onChange(date);
            }}
          />
        )
      }
    />
  );
}
