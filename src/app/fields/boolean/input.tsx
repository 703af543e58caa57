import Switch from '@mui/material/Switch';
import type { InputFacets, InputProps } from '../fieldType';
import { LockIcon } from '../TextBox';
import * as styles from '../fields.module.css';

/** Yes or no. */
function Input({ id, field, value, onChange, readOnly, isLocked, describedBy, autoFocus }: InputProps) {
  const isOn = value === true;
  return (
    <span className={styles.switchBox}>
      <Switch
        checked={isOn}
        disabled={readOnly}
        onChange={(_, checked) => onChange(checked)}
        slotProps={{ input: { id, name: field.name, 'aria-describedby': describedBy, autoFocus } }}
      />
      <span aria-hidden="true">{isOn ? 'Yes' : 'No'}</span>
      {isLocked && <LockIcon />}
    </span>
  );
}

export default { Input } satisfies InputFacets;
