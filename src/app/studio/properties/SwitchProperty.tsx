import Switch from '@mui/material/Switch';
import { memo, useId, type ReactNode } from 'react';
import { Hint } from './Hint';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

interface SwitchRowProps {
  label: string;
  isOn: boolean;
  disabled?: boolean;
  hint?: string;
  error?: string;
  /** Rendered before the switch. */
  leadingContent?: ReactNode;
  onChange: (on: boolean) => void;
}

/** A row with a label and a switch. */
export function SwitchRow({ label, isOn, disabled, hint, error, leadingContent, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className={styles.studioSwitch}>
      <div>
        <label htmlFor={id}>{label}</label>
        {hint && <Hint id={`${id}-hint`} text={hint} />}
        {error && <small role="alert">{error}</small>}
      </div>
      {leadingContent}
      <Switch
        id={id}
        checked={isOn}
        disabled={disabled}
        onChange={(_, next) => onChange(next)}
        slotProps={{ input: { role: 'switch', 'aria-describedby': hint && `${id}-hint` } }}
      />
    </div>
  );
}

/** A switch for a boolean at a place of the draft; the default is not written. */
export const SwitchProperty = memo(function SwitchProperty({
  pointer,
  label,
  defaultValue = false,
}: {
  pointer: string;
  label: string;
  defaultValue?: boolean;
}) {
  const { value, set, error, hint } = useDraftValue(pointer);
  const isOn = typeof value === 'boolean' ? value : defaultValue;
  return (
    <SwitchRow {...{ label, isOn, error, hint }} onChange={(next) => set(next === defaultValue ? undefined : next)} />
  );
});
