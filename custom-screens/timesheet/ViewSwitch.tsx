import { Icon } from '../../src/app/icons/Icon';
import type { IconName } from '../../src/app/icons/icons';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import * as styles from './timesheet.module.css';

interface ViewSwitchProps<Value extends string> {
  label: string;
  choices: readonly { value: Value; label: string; icon?: IconName }[];
  value: Value;
  /** Shows the icons only. */
  short?: boolean;
  onChoose: (value: Value) => void;
}

/** A group of buttons of which one is active. */
export function ViewSwitch<Value extends string>({ label, choices, value, short, onChoose }: ViewSwitchProps<Value>) {
  return (
    <span className={`${toolbarStyles.listViews} ${styles.timesheetViews}`} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={value === choice.value}
          aria-label={short ? choice.label : undefined}
          onClick={() => value !== choice.value && onChoose(choice.value)}
        >
          {choice.icon && <Icon name={choice.icon} />}
          {!short && choice.label}
        </button>
      ))}
    </span>
  );
}
