import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import * as styles from './six-digits.module.css';
import { firstOf } from '../../engine/values/lookups';

export interface SixDigitsProps {
  /** The digits so far, at most six. */
  value: string;
  onChange: (value: string) => void;
  /** The id of the element with the error message. */
  describedBy?: string;
  invalid?: boolean;
  autoFocus?: boolean;
  label?: string;
}

const length = 6;
const positions = [0, 1, 2, 3, 4, 5];

/** Six boxes for the digits of an authenticator. Pasting or autofill fills all of them. */
export function SixDigits({ value, onChange, describedBy, invalid, autoFocus, label = 'Six digits' }: SixDigitsProps) {
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (index: number) => boxes.current[Math.max(0, Math.min(index, length - 1))]?.focus();
  useEffect(() => {
    if (autoFocus) boxes.current[0]?.focus();
  }, [autoFocus]);

  const fill = (index: number, text: string) => {
    const digits = text.replace(/\D/g, '');
    if (digits === '') return;
    // A whole code fills all boxes, whichever receives it.
    const start = digits.length >= length ? 0 : Math.min(index, value.length);
    onChange((value.slice(0, start) + digits + value.slice(start + digits.length)).slice(0, length));
    focus(start + digits.length);
  };
  const onPaste = (index: number, event: ClipboardEvent) => {
    event.preventDefault();
    fill(index, event.clipboardData.getData('text'));
  };
  const onKeyDown = (index: number, event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') focus(index - 1);
    else if (event.key === 'ArrowRight') focus(Math.min(index + 1, value.length));
    else if (event.key === 'Backspace' || event.key === 'Delete') {
      const removedIndex = event.key === 'Backspace' && !value[index] ? index - 1 : index;
      if (removedIndex >= 0) onChange(value.slice(0, removedIndex) + value.slice(removedIndex + 1));
      if (event.key === 'Backspace') focus(removedIndex);
    } else return;
    event.preventDefault();
  };
  return (
    <div className={styles.sixDigits} role="group" aria-label={label} aria-describedby={describedBy}>
      {positions.map((index) => (
        <input
          key={index}
          ref={(box) => {
            boxes.current[index] = box;
          }}
          type="text"
          inputMode="numeric"
          autoComplete={index === 0 ? 'one-time-code' : 'off'}
          aria-label={`Digit ${index + 1} of ${length}`}
          aria-invalid={invalid || undefined}
          value={value[index] ?? ''}
          onChange={(event) => {
            const typedText = event.target.value;
            // A digit typed before or after the existing one replaces it.
            fill(
              index,
              typedText.length === 2 && value[index]
                ? typedText.replace(value[index], '') || firstOf(typedText)
                : typedText,
            );
          }}
          onPaste={(event) => onPaste(index, event)}
          onKeyDown={(event) => onKeyDown(index, event)}
          onFocus={(event) => event.target.select()}
        />
      ))}
    </div>
  );
}
