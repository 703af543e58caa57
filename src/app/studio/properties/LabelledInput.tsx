import FormHelperText from '@mui/material/FormHelperText';
import { useId, type ReactNode } from 'react';
import { Hint } from './Hint';
import * as styles from './properties.module.css';

interface LabelledInputProps {
  label: string;
  /** Explanation: a tooltip beside the label, and the input's description. */
  hint?: string;
  /** Shown below the input. */
  note?: string;
  error?: string;
  children: (ids: { id: string; describedBy: string | undefined }) => ReactNode;
}

/** A label, its input, and the error or note below it. */
export function LabelledInput({ label, hint, note, error, children }: LabelledInputProps) {
  const id = useId();
  const noteText = error ?? note;
  const describedBy = [hint && `${id}-hint`, noteText && `${id}-note`].filter(Boolean).join(' ') || undefined;
  return (
    <div className={styles.studioInput}>
      <div className={styles.studioLabel}>
        <label htmlFor={id}>{label}</label>
        {hint && <Hint id={`${id}-hint`} text={hint} />}
      </div>
      {children({ id, describedBy })}
      {noteText && (
        <FormHelperText id={`${id}-note`} error={error !== undefined}>
          {noteText}
        </FormHelperText>
      )}
    </div>
  );
}
