import { useEffect, useRef, type RefObject } from 'react';
import { isOverlayOpen } from './keys';

/**
 * The text that is typed from when something was opened by a key until it is shown, as its code is still loaded then:
 * nothing of it is lost, and none of its letters is taken for a shortcut.
 *
 * @example const typedAhead = useTypedAhead(isPaletteOpen);
 */
export function useTypedAhead(isOpening: boolean): RefObject<string> {
  const typed = useRef('');
  useEffect(() => {
    if (!isOpening) return;
    const collect = (event: KeyboardEvent) => {
      if (isOverlayOpen() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.key.length === 1) typed.current += event.key;
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', collect, { capture: true });
    return () => {
      window.removeEventListener('keydown', collect, { capture: true });
      typed.current = '';
    };
  }, [isOpening]);
  return typed;
}
