import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import MenuItem from '@mui/material/MenuItem';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useId } from 'react';
import { formatTimeOfDay } from '../../../engine/formats/dates';
import { firstDayOfWeek } from '../../../engine/formats/personal';
import type { ChoicesProps } from './NoticeKinds';
import * as formStyles from '../../form/form.module.css';
import * as styles from './profile.module.css';

const weekdays = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
/** 4 January 2026 was a Sunday. */
const nameOfDay = (day: number) => weekdays.format(Date.UTC(2026, 0, 4 + day));
/** For every day: `Select` has no null. */
const daily = 'daily';
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const timeZones = Intl.supportedValuesOf('timeZone');
/** There are hundreds of them: who scrolls finds none, who types a city does. */
const filterZones = createFilterOptions<string>({ limit: 50 });

/** When the digest comes, and in which time zone. */
export function DigestTime({ choices, change, disabled }: ChoicesProps) {
  const id = useId();
  const days = Array.from({ length: 7 }, (_, index) => (firstDayOfWeek() + index) % 7);
  const defaultLabel = `As the company: ${choices.company_time_zone}`;
  // The server knows further names for some.
  const zones = [
    ...new Set([defaultLabel, ...(choices.time_zone === null ? [] : [choices.time_zone]), 'UTC', ...timeZones]),
  ];
  return (
    <section className={formStyles.formSection} aria-labelledby={id}>
      <div className={formStyles.formPurpose}>
        <h2 id={id}>Digest</h2>
        <p>One mail with what you have not read since the last one. None comes when there is nothing.</p>
      </div>
      <div className={styles.profileFormats}>
        <div>
          <label htmlFor={`${id}-day`}>How often</label>
          <Select
            fullWidth
            disabled={disabled}
            value={choices.digest_day === null ? daily : String(choices.digest_day)}
            inputProps={{ id: `${id}-day` }}
            SelectDisplayProps={{ 'aria-label': 'How often' }}
            onChange={({ target: { value } }) => change({ digest_day: value === daily ? null : Number(value) })}
          >
            <MenuItem value={daily}>Every day</MenuItem>
            {days.map((day) => (
              <MenuItem key={day} value={String(day)}>
                Every {nameOfDay(day)}
              </MenuItem>
            ))}
          </Select>
        </div>
        <div>
          <label htmlFor={`${id}-hour`}>At</label>
          <Select
            fullWidth
            disabled={disabled}
            value={choices.digest_hour}
            inputProps={{ id: `${id}-hour` }}
            SelectDisplayProps={{ 'aria-label': 'At' }}
            onChange={({ target: { value } }) => change({ digest_hour: Number(value) })}
          >
            {hours.map((hour) => (
              <MenuItem key={hour} value={hour}>
                {formatTimeOfDay(`${String(hour).padStart(2, '0')}:00`)}
              </MenuItem>
            ))}
          </Select>
        </div>
        <div>
          <label htmlFor={`${id}-zone`}>Time zone of your mails</label>
          <Autocomplete
            id={`${id}-zone`}
            disabled={disabled}
            disableClearable
            selectOnFocus
            size="small"
            filterOptions={filterZones}
            options={zones}
            value={choices.time_zone ?? defaultLabel}
            onChange={(_, zone) => change({ time_zone: zone === defaultLabel ? null : zone })}
            renderInput={({ slotProps, id: inputId, disabled: isDisabled }) => (
              <OutlinedInput
                id={inputId}
                fullWidth
                disabled={isDisabled}
                ref={slotProps.input.ref}
                endAdornment={slotProps.input.endAdornment}
                slotProps={{ input: slotProps.htmlInput }}
              />
            )}
          />
        </div>
      </div>
    </section>
  );
}
