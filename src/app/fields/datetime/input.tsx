import { formatDate, formatTimeOfDay } from '../../../engine/formats/dates';
import { parseTypedDate, parseTypedTime } from '../../../engine/formats/parse-typed-values';
import { useState } from 'react';
import { CalendarButton } from '../CalendarButton';
import { useTextDraft } from '../useTextDraft';
import { datePlaceholder, joinInstant, localToday, splitInstant } from '../../data/localTime';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';
import * as styles from '../fields.module.css';

/** An instant as day and time in the browser's time zone. */
function Input({ value, onChange, notBefore, ...props }: InputProps) {
  const parts = typeof value === 'string' ? splitInstant(value) : undefined;
  const [time, setTime] = useState('00:00');
  const shownTime = parts?.time ?? time;
  const join = (date: unknown) =>
    onChange(typeof date === 'string' && isDay(date) ? joinInstant(date, shownTime) : date);
  const day = useTextDraft({
    value: parts?.date ?? value,
    format: (date) => formatDate(String(date)),
    parse: (text) => parseTypedDate(text, localToday()),
    onChange: join,
  });
  const clock = useTextDraft({
    value: shownTime,
    format: (time) => formatTimeOfDay(String(time)),
    parse: parseTypedTime,
    onChange: (typedTime) => {
      const next = typeof typedTime === 'string' ? parseTypedTime(typedTime) : '00:00';
      if (next === undefined) return;
      setTime(next);
      if (parts) onChange(joinInstant(parts.date, next));
    },
  });
  return (
    <div className={styles.moment} role="group" aria-labelledby={`${props.id}-label`}>
      <TextBox
        placeholder={datePlaceholder()}
        {...props}
        {...day}
        end={
          props.readOnly ? undefined : (
            <CalendarButton label={props.field.label} value={parts?.date} onPick={join} notBefore={notBefore} />
          )
        }
      />
      <TextBox
        {...props}
        {...clock}
        id={`${props.id}-time`}
        isLocked={false}
        autoFocus={false}
        className="num"
        label={`${props.field.label}, time`}
      />
    </div>
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

export default { Input } satisfies InputFacets;
