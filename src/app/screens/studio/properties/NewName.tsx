import Button from '@mui/material/Button';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { LabelledInput } from './LabelledInput';
import * as styles from './properties.module.css';

interface NewNameProps {
  label: string;
  /** The names that there are already. */
  names: readonly string[];
  /** What a name looks like, and what to say if it does not. */
  pattern?: { readonly is: RegExp; readonly message: string };
  placeholder?: string;
  onAdd: (name: string) => void;
}

/** A name that is typed before what it names is added, with Enter or a button. */
export function NewName({ label, names, pattern, placeholder, onAdd }: NewNameProps) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const fault =
    name === ''
      ? undefined
      : pattern && !pattern.is.test(name)
        ? pattern.message
        : names.includes(name)
          ? 'There is one with this name.'
          : undefined;
  const add = () => {
    if (name === '' || fault) return;
    onAdd(name);
    setTyped('');
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
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
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

/** What names of fields, parameters and requests look like. */
export const namePattern = {
  is: /^[a-z][A-Za-z0-9_]{0,62}$/,
  message: 'It begins with a small letter, followed by letters, digits and _.',
};
