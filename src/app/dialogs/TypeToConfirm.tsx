import FormHelperText from '@mui/material/FormHelperText';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId } from 'react';
import * as styles from './typed-word.module.css';

interface TypeToConfirmProps {
  /** The word to type. */
  word: string;
  typedText: string;
  onType: (typed: string) => void;
  /** A less destructive alternative, if there is one. */
  hint?: string;
  autoFocus?: boolean;
}

/** Requires typing a name before a destructive action, to prevent mistakes. */
export function TypeToConfirm({ word, typedText, onType, hint, autoFocus }: TypeToConfirmProps) {
  const id = useId();
  return (
    <div className={styles.typedWord}>
      <label htmlFor={id}>
        Type <code>{word}</code> to confirm
      </label>
      <OutlinedInput
        id={id}
        fullWidth
        autoFocus={autoFocus}
        autoComplete="off"
        value={typedText}
        onChange={(event) => onType(event.target.value)}
        slotProps={{ input: { spellCheck: false, ...(hint && { 'aria-describedby': `${id}-hint` }) } }}
      />
      {hint && <FormHelperText id={`${id}-hint`}>{hint}</FormHelperText>}
    </div>
  );
}
