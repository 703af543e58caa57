import Switch from '@mui/material/Switch';
import { memo, useId, type ReactNode } from 'react';
import { Hint } from './Hint';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

interface SwitchRowProps {
  label: string;
  on: boolean;
  disabled?: boolean;
  hint?: string;
  error?: string;
  /** Rendered before the switch. */
  aside?: ReactNode;
  onChange: (on: boolean) => void;
}

/** A row with a label and a switch. */
export function SwitchRow({ label, on, disabled, hint, error, aside, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className={styles.studioSwitch}>
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && <Hint id={`${id}-hint`} text={hint} />}
        {error && <small role="alert">{error}</small>}
      </div>
      {aside}
      <Switch
        id={id}
        checked={on}
        disabled={disabled}
        onChange={(_, next) => onChange(next)}
        slotProps={{ input: { role: 'switch', 'aria-describedby': hint && `${id}-hint` } }}
      />
    </div>
  );
}

/** A switch for a boolean at a place of the draft; the default is not written. */
export const SwitchProperty = memo(function SwitchProperty({
  at,
  label,
  usual = false,
}: {
  at: string;
  label: string;
  usual?: boolean;
}) {
  const { value, set, error, hint } = useDraftValue(at);
  const on = typeof value === 'boolean' ? value : usual;
  return <SwitchRow {...{ label, on, error, hint }} onChange={(next) => set(next === usual ? undefined : next)} />;
});
