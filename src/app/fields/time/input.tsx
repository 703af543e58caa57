import { useEffect, useEffectEvent, useState } from 'react';
import type { FieldOf } from '../../../engine/definitions/definition';
import { isTime, timeOfDay } from '../../../engine/field-types/time';
import { formatTimeOfDay, isDate } from '../../../engine/formats/dates';
import { parseTypedEnd, parseTypedTime } from '../../../engine/formats/parse-typed-values';
import { laterOnDay } from '../../data/localTime';
import { useTextDraft } from '../useTextDraft';
import type { InputFacets, InputProps } from '../fieldType';
import { TextBox } from '../TextBox';
import * as styles from '../fields.module.css';

type TimeProps = InputProps<FieldOf<'time'>>;

/** A time of day, typed in any usual format and shown without a day. */
function Input(props: TimeProps) {
  return props.earlierTime ? <EndInput {...props} earlierTime={props.earlierTime} /> : <TimeInput {...props} />;
}

function TimeInput({ value, onChange, ...props }: TimeProps) {
  const format = (time: unknown) => formatTimeOfDay(timeOfDay(String(time), props.field));
  const draft = useTextDraft({ value, format, parse: parseTypedTime, onChange });
  return <TextBox placeholder="HH:mm" {...props} {...draft} className="num" />;
}

/** The end of a start: a duration may be typed too. The end then follows the start until it is typed as a time. */
function EndInput({
  value,
  onChange,
  onProblem,
  earlierTime,
  ...props
}: TimeProps & { earlierTime: NonNullable<TimeProps['earlierTime']> }) {
  const [duration, setDuration] = useState<string>();
  const begin = typeof earlierTime.value === 'string' ? timeOfDay(earlierTime.value, props.field) : '';
  const start = isTime(begin) ? begin : undefined;
  const read = (text: string) => {
    const { day } = earlierTime;
    const addMinutes = isDate(day)
      ? (startTime: string, minutes: number) => laterOnDay(day, startTime, minutes)
      : undefined;
    const { time, problem, isDuration } = parseTypedEnd(text, start, earlierTime.label, addMinutes);
    setDuration(isDuration ? text : undefined);
    onProblem?.(problem);
    return time;
  };
  const draft = useTextDraft({
    value,
    format: (time) => formatTimeOfDay(timeOfDay(String(time), props.field)),
    parse: read,
    onChange,
  });
  const follow = useEffectEvent(() => {
    if (duration !== undefined) onChange(read(duration) ?? duration);
  });
  useEffect(() => follow(), [start, earlierTime.day]);
  const isRead = typeof value === 'string' && isTime(timeOfDay(value, props.field));
  return (
    <TextBox
      placeholder="HH:mm or 1h30"
      {...props}
      text={draft.text}
      className="num"
      onText={(text) => {
        if (text.trim() === '') read('');
        draft.onText(text);
      }}
      onBlur={() => {
        draft.onBlur();
        if (draft.text.trim() !== '' && !isRead && duration === undefined)
          onProblem?.('Enter a time such as 14:30, or a duration such as 1h30, 90m or 1.5h.');
      }}
      end={
        duration !== undefined &&
        isRead &&
        draft.text === duration && (
          <output className={styles.readTime}>{formatTimeOfDay(timeOfDay(value, props.field))}</output>
        )
      }
    />
  );
}

export default { Input } satisfies InputFacets<FieldOf<'time'>>;
