import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useId } from 'react';
import { createPersonalFormats, formatChoices, weekStarts } from '../../../engine/formats/create-personal-formats';
import type { FormatChoice } from '../../../engine/formats/create-personal-formats';
import { DensityChoice } from '../../preferences/DensityChoice';
import { usePreferences } from '../../preferences/usePreferences';
import { useViewing } from '../../session/viewedUser';
import * as formStyles from '../../form/form.module.css';
import * as styles from './profile.module.css';

const languages = new Intl.DisplayNames('en', { type: 'language' });
const weekdays = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });
/** For "as usual": `Select` has no null. */
const defaultValue = 'usual';

const nameOf = (choice: FormatChoice) =>
  choice === 'browser' ? 'As the browser says' : choice === 'iso' ? 'ISO 8601' : languages.of(choice);

const sampleOf = (choice: FormatChoice) => {
  const { date, number } = createPersonalFormats(choice, navigator.language);
  return `${date('2026-12-31')} · ${number(1234.5, {})}`;
};

/** How the person reads and types dates and numbers, and how close rows are: applies at once, in all their browsers. */
export function FormatChoices() {
  const id = useId();
  const { preferences, change } = usePreferences();
  const isViewing = useViewing() !== null;
  return (
    <section className={formStyles.formSection} aria-labelledby={id}>
      <div className={formStyles.formPurpose}>
        <h2 id={id}>Dates, numbers and rows</h2>
        <p>Apply at once, on all your devices. Exports stay as they are.</p>
      </div>
      <div className={styles.profileFormats}>
        <div>
          <label htmlFor={`${id}-formats`}>Dates and numbers</label>
          <Select
            fullWidth
            disabled={isViewing}
            value={preferences.formats ?? defaultValue}
            inputProps={{ id: `${id}-formats` }}
            SelectDisplayProps={{ 'aria-label': 'Dates and numbers' }}
            onChange={({ target: { value } }) => change({ formats: value === defaultValue ? null : value })}
          >
            <MenuItem value={defaultValue}>
              Standard <span className={styles.profileSample}>31-Dec-2026 · 1,234.5</span>
            </MenuItem>
            {formatChoices.map((choice) => (
              <MenuItem key={choice} value={choice}>
                {nameOf(choice)} <span className={styles.profileSample}>{sampleOf(choice)}</span>
              </MenuItem>
            ))}
          </Select>
        </div>
        <div>
          <label htmlFor={`${id}-week`}>First day of the week</label>
          <Select
            fullWidth
            disabled={isViewing}
            value={preferences.week_start === null ? defaultValue : String(preferences.week_start)}
            inputProps={{ id: `${id}-week` }}
            SelectDisplayProps={{ 'aria-label': 'First day of the week' }}
            onChange={({ target: { value } }) => change({ week_start: value === defaultValue ? null : Number(value) })}
          >
            <MenuItem value={defaultValue}>As dates and numbers</MenuItem>
            {weekStarts.map((day) => (
              <MenuItem key={day} value={String(day)}>
                {weekdays.format(Date.UTC(2026, 0, 4 + day))}
              </MenuItem>
            ))}
          </Select>
        </div>
        <DensityChoice label="Rows and forms" />
      </div>
    </section>
  );
}
