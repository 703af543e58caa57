import { useViewing } from '../session/viewedUser';
import { usePreferences } from './usePreferences';
import * as styles from './density.module.css';

const densities = [
  { density: 'comfortable', label: 'Comfortable' },
  { density: 'medium', label: 'Medium' },
  { density: 'compact', label: 'Compact' },
] as const;

/** Comfortable, medium or compact rows and forms: applies at once and is stored for the user. */
export function DensityChoice({ label = 'Density' }: { label?: string }) {
  const { preferences, change } = usePreferences();
  const isViewing = useViewing() !== null;
  const currentDensity = preferences.density ?? 'comfortable';
  return (
    <fieldset className={styles.density} disabled={isViewing}>
      <legend>{label}</legend>
      {densities.map(({ density, label: name }) => (
        <label key={density} data-on={currentDensity === density || undefined}>
          <input
            type="radio"
            name="density"
            checked={currentDensity === density}
            onChange={() => change({ density: density === 'comfortable' ? null : density })}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
