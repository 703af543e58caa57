import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput';
import { LabelledInput } from './LabelledInput';

interface TextInputProps extends Pick<OutlinedInputProps, 'className' | 'readOnly' | 'endAdornment' | 'onBlur'> {
  label: string;
  hint?: string;
  note?: string;
  error?: string;
  /** The default, shown as a placeholder. */
  placeholder?: string;
  value: string | number;
  /** The lines that it has at least, and at most. */
  lines?: number;
  maxLines?: number;
  isNumber?: boolean;
  /** Whether it is no prose, whose spelling could be checked. */
  isCode?: boolean;
  onChange: (text: string) => void;
  onEnter?: () => void;
}

/** A labelled input for text or a number, whose value the caller keeps. */
export function TextInput({
  label,
  hint,
  note,
  error,
  placeholder,
  lines = 1,
  maxLines,
  isNumber = false,
  isCode = false,
  onChange,
  onEnter,
  ...input
}: TextInputProps) {
  const isLong = lines > 1 || maxLines !== undefined;
  return (
    <LabelledInput {...{ label, hint, note, error }}>
      {({ id, describedBy }) => (
        <OutlinedInput
          {...input}
          id={id}
          size="small"
          fullWidth
          autoComplete="off"
          type={isNumber ? 'number' : undefined}
          multiline={isLong}
          minRows={isLong ? lines : undefined}
          maxRows={maxLines}
          error={error !== undefined}
          placeholder={placeholder}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onEnter?.();
          }}
          slotProps={{
            input: {
              'aria-describedby': describedBy,
              ...(isNumber && { step: 'any' }),
              ...(isCode && { spellCheck: false }),
            },
          }}
        />
      )}
    </LabelledInput>
  );
}
