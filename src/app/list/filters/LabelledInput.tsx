import { useId, type ReactNode } from 'react';
import * as styles from './filters.module.css';

interface LabelledInputProps {
  label: string;
  /** Muted text at the end of the label. */
  note?: ReactNode;
  children: (id: string) => ReactNode;
}

/** An input below its label. */
export function LabelledInput({ label, note, children }: LabelledInputProps) {
  const id = useId();
  return (
    <div className={styles.labelled}>
      <div className={styles.labelledHead}>
        <label id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
        <span className={styles.labelledNote}>{note}</span>
      </div>
      {children(id)}
    </div>
  );
}
