import Button, { type ButtonProps } from '@mui/material/Button';
import { useEffect, useRef } from 'react';

/**
 * The button of a dialog that has the focus when it opens. It takes it in an effect, because effects of the inside run
 * before the dialog's own, which leaves a focus within it alone; an `autoFocus` is lost where effects run twice.
 */
export function FirstButton(props: Omit<ButtonProps, 'autoFocus' | 'ref'>) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return <Button {...props} ref={button} />;
}
