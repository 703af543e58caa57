import { useId } from 'react';
import { useThemeChoice, type ThemeChoice } from '../../theme/themeChoice';
import * as formStyles from '../../form/form.module.css';
import * as styles from './profile.module.css';

const light = { page: '#FFFFFF', side: '#F6F8FA', chosen: '#DBEDFF', line: '#D3DAE2' };
const dark = { page: '#13181F', side: '#0E1217', chosen: '#17304E', line: '#343D4A' };

/** A miniature of the application in a theme's colours, independent of the current theme. */
function ThemePicture({ choice }: { choice: ThemeChoice }) {
  return (
    <svg viewBox="0 0 136 64" aria-hidden="true">
      <Screen colours={choice === 'dark' ? dark : light} />
      {choice === 'system' && (
        <g style={{ clipPath: 'polygon(50% 0, 100% 0, 100% 100%, 50% 100%)' }}>
          <Screen colours={dark} />
        </g>
      )}
    </svg>
  );
}

function Screen({ colours: { page, side, chosen: selection, line } }: { colours: typeof light }) {
  return (
    <>
      <rect width="136" height="64" fill={page} />
      <rect width="36" height="64" fill={side} />
      <rect x="6" y="8" width="24" height="5" rx="2" fill={selection} />
      <rect x="6" y="18" width="20" height="4" rx="2" fill={line} />
      <rect x="6" y="26" width="22" height="4" rx="2" fill={line} />
      <rect x="44" y="8" width="34" height="6" rx="2" fill={line} />
      <rect x="108" y="7" width="22" height="8" rx="3" fill="#276DB6" />
      <path d="M44 25.5h86M44 38.5h86M44 51.5h86" stroke={line} />
    </>
  );
}

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
