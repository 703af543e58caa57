import Button, { type ButtonProps } from '@mui/material/Button';
import { useEffect, useRef } from 'react';

/**
 * The button that has the focus when its dialog opens. It is focused in an effect, because effects of children run
 * before the dialog's own, which then leaves the focus alone; `autoFocus` is lost when effects run twice.
 */
export function InitialFocusButton(props: Omit<ButtonProps, 'autoFocus' | 'ref'>) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return <Button {...props} ref={button} />;
}
