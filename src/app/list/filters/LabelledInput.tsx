import { useId, type ReactNode } from 'react';

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
    <div className="labelled">
      <div className="labelled-head">
        <label id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
        <span className="labelled-note">{note}</span>
      </div>
      {children(id)}
    </div>
  );
}
