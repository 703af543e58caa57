import OutlinedInput from '@mui/material/OutlinedInput';
import type { HTMLAttributes, ReactNode } from 'react';
import { Icon } from '../icons/Icon';
import type { InputProps } from './fieldType';
import * as styles from './fields.module.css';

export interface TextBoxProps extends Omit<InputProps, 'value' | 'onChange'> {
  text: string;
  onText: (text: string) => void;
  onBlur?: () => void;
  type?: 'text' | 'email' | 'url' | 'tel' | 'password';
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'];
  autoComplete?: string;
  start?: ReactNode;
  end?: ReactNode;
  /** Visible lines of a box that grows with its text. Default: a box of one line. */
  lines?: number;
  className?: string;
  /** The accessible name of a box without a label. */
  label?: string;
}

/** A text box with what every form input has: lock, error state, hint. */
export function TextBox(props: TextBoxProps) {
  const { id, field, text, onText, onBlur, readOnly, isLocked, start, end, lines, autoComplete = 'off' } = props;
  return (
    <OutlinedInput
      id={id}
      name={field.name}
      className={props.className}
      size={props.size}
      type={props.type}
      fullWidth
      value={text}
      onChange={(event) => onText(event.target.value)}
      onBlur={onBlur}
      readOnly={readOnly}
      error={props.invalid}
      autoFocus={props.autoFocus}
      // A read-only box needs no placeholder.
      placeholder={readOnly ? undefined : (props.placeholder ?? field.placeholder)}
      autoComplete={autoComplete}
      multiline={lines !== undefined}
      {...(lines !== undefined && {
        minRows: lines,
        maxRows: 24,
        style: { minHeight: heightOf(lines), alignItems: 'start' },
      })}
      startAdornment={start}
      endAdornment={isLocked ? <LockIcon /> : end}
      slotProps={{
        input: {
          // As high as its text from the first frame on: that it grows is measured later.
          ...(lines !== undefined && { style: { fieldSizing: 'content' } }),
          inputMode: props.inputMode,
          'aria-label': props.label,
          'aria-required': props.required || undefined,
          'aria-describedby': props.describedBy,
        },
      }}
    />
  );
}

/** The height of a box of several lines in pixels. */
const heightOf = (lines: number) => lines * 20 + 16;

/** Marks a value that can be read but not changed. */
export function LockIcon() {
  return <Icon name="lock" className={styles.fieldLock} />;
}
