import Switch from '@mui/material/Switch';
import type { InputProps } from '../fieldComponents';
import { LockIcon } from '../TextBox';

/** Yes or no. */
export function Input({ id, field, value, onChange, readOnly, locked, describedBy, autoFocus }: InputProps) {
  const on = value === true;
  return (
    <span className="switch-box">
      <Switch
        checked={on}
        disabled={readOnly}
        onChange={(_, checked) => onChange(checked)}
        slotProps={{ input: { id, name: field.name, 'aria-describedby': describedBy, autoFocus } }}
      />
      <span aria-hidden="true">{on ? 'Yes' : 'No'}</span>
      {locked && <LockIcon />}
    </span>
  );
}
