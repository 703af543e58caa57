import * as styles from '../../list/toolbar.module.css';

interface DisplaySwitchProps {
  inWords: boolean;
  onChange: (inWords: boolean) => void;
}

/** A switch between line by line and in words. */
export function DisplaySwitch({ inWords, onChange }: DisplaySwitchProps) {
  return (
    <span className={styles.listViews} role="group" aria-label="How differences are shown">
      <button type="button" aria-pressed={!inWords} onClick={() => onChange(false)}>
        Side by side
      </button>
      <button type="button" aria-pressed={inWords} onClick={() => onChange(true)}>
        In words
      </button>
    </span>
  );
}
