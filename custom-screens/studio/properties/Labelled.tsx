import FormHelperText from '@mui/material/FormHelperText';
import { useId, type ReactNode } from 'react';

interface LabelledProps {
  label: string;
  /** Stands at the label's right end. */
  aside?: ReactNode;
  hint?: string;
  error?: string;
  /** Takes the whole row. */
  wide?: boolean;
  children: (ids: { id: string; describedBy: string | undefined }) => ReactNode;
}

/** An input below its label, with what is wrong or what it is for under it. */
export function Labelled({ label, aside, hint, error, wide, children }: LabelledProps) {
  const id = useId();
  const said = error ?? hint;
  return (
    <div className="studio-input" data-wide={wide || undefined}>
      <div className="studio-label">
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children({ id, describedBy: said ? `${id}-hint` : undefined })}
      {said && (
        <FormHelperText id={`${id}-hint`} error={error !== undefined}>
          {said}
        </FormHelperText>
      )}
    </div>
  );
}
