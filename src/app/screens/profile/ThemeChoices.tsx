import { useId } from 'react';
import { useThemeChoice, type ThemeChoice } from '../../theme/themeChoice';
import { ThemePicture } from './ThemePicture';
import * as formStyles from '../../form/form.module.css';
import * as styles from './profile.module.css';

const choices: readonly { choice: ThemeChoice; label: string }[] = [
  { choice: 'light', label: 'Light' },
  { choice: 'dark', label: 'Dark' },
  { choice: 'system', label: 'As the system' },
];

/** Light, dark, or as the system: applies at once and is saved in this browser. */
export function ThemeChoices() {
  const id = useId();
  const { choice, choose } = useThemeChoice();
  return (
    <section className={formStyles.formSection} aria-labelledby={id}>
      <div className={formStyles.formPurpose}>
        <h2 id={id}>Theme</h2>
        <p>Saved on this device.</p>
      </div>
      <div className={styles.profileThemes} role="radiogroup" aria-labelledby={id}>
        {choices.map((option) => (
          <label key={option.choice} data-on={choice === option.choice || undefined}>
            <ThemePicture choice={option.choice} />
            <span>
              <input
                type="radio"
                name="theme"
                checked={choice === option.choice}
                onChange={() => choose(option.choice)}
              />
              {option.label}
            </span>
          </label>
        ))}
      </div>
    </section>
  );
}
