import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { LabelledInput } from './LabelledInput';
import * as styles from './properties.module.css';

interface NewNameProps {
  label: string;
  /** The names that there are already. */
  names: readonly string[];
  /** The pattern of a name, and the message if it does not match. */
  pattern?: { readonly expression: RegExp; readonly message: string };
  placeholder?: string;
  onAdd: (name: string) => void;
}

/** A name that is typed before what it names is added, with Enter or a button. */
export function NewName({ label, names, pattern, placeholder, onAdd }: NewNameProps) {
  const [typedName, setTypedName] = useState('');
  const name = typedName.trim();
  const fault =
    name === ''
      ? undefined
      : pattern && !pattern.expression.test(name)
        ? pattern.message
        : names.includes(name)
          ? 'There is one with this name.'
          : undefined;
  const add = () => {
    if (name === '' || fault) return;
    onAdd(name);
    setTypedName('');
  };
  return (
    <LabelledInput label={label} error={fault}>
      {({ id, describedBy }) => (
        <div className={styles.studioRow}>
          <OutlinedInput
            id={id}
            size="small"
            fullWidth
            autoComplete="off"
            placeholder={placeholder}
            error={fault !== undefined}
            value={typedName}
            onChange={(event) => setTypedName(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') add();
            }}
            slotProps={{ input: { spellCheck: false, 'aria-describedby': describedBy } }}
          />
          <Button
            variant="outlined"
            aria-label={`Add: ${label}`}
            disabled={name === '' || fault !== undefined}
            onClick={add}
          >
            Add
          </Button>
        </div>
      )}
    </LabelledInput>
  );
}

/** The pattern of names of fields, parameters and requests. */
export const namePattern = {
  expression: /^[a-z][A-Za-z0-9_]{0,62}$/,
  message: 'It begins with a small letter, followed by letters, digits and _.',
};
