import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import * as styles from './six-digits.module.css';

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
  const focus = (place: number) => boxes.current[Math.max(0, Math.min(place, length - 1))]?.focus();
  useEffect(() => {
    if (autoFocus) boxes.current[0]?.focus();
  }, [autoFocus]);

  const fill = (place: number, text: string) => {
    const digits = text.replace(/\D/g, '');
    if (digits === '') return;
    // A whole code fills all boxes, whichever receives it.
    const start = digits.length >= length ? 0 : Math.min(place, value.length);
    onChange((value.slice(0, start) + digits + value.slice(start + digits.length)).slice(0, length));
    focus(start + digits.length);
  };
  const onPaste = (place: number, event: ClipboardEvent) => {
    event.preventDefault();
    fill(place, event.clipboardData.getData('text'));
  };
  const onKeyDown = (place: number, event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') focus(place - 1);
    else if (event.key === 'ArrowRight') focus(Math.min(place + 1, value.length));
    else if (event.key === 'Backspace' || event.key === 'Delete') {
      const removed = event.key === 'Backspace' && !value[place] ? place - 1 : place;
      if (removed >= 0) onChange(value.slice(0, removed) + value.slice(removed + 1));
      if (event.key === 'Backspace') focus(removed);
    } else return;
    event.preventDefault();
  };
  return (
    <div className={styles.sixDigits} role="group" aria-label={label} aria-describedby={describedBy}>
      {positions.map((place) => (
        <input
          key={place}
          ref={(box) => {
            boxes.current[place] = box;
          }}
          type="text"
          inputMode="numeric"
          autoComplete={place === 0 ? 'one-time-code' : 'off'}
          aria-label={`Digit ${place + 1} of ${length}`}
          aria-invalid={invalid || undefined}
          value={value[place] ?? ''}
          onChange={(event) => {
            const typed = event.target.value;
            // A digit typed before or after the existing one replaces it.
            fill(place, typed.length === 2 && value[place] ? typed.replace(value[place], '') || typed[0]! : typed);
          }}
          onPaste={(event) => onPaste(place, event)}
          onKeyDown={(event) => onKeyDown(place, event)}
          onFocus={(event) => event.target.select()}
        />
      ))}
    </div>
  );
}
