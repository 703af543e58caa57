import { useEffect, useRef, type RefObject } from 'react';
import { isOverlayOpen } from './keys';
import { actingKeys } from './palette';
import { setOpening } from './typeAhead';

/**
 * The keys that are pressed from when something was opened by a key until it is shown, as its code is still loaded then:
 * letters, Enter and →. None of them is lost or taken for a shortcut.
 *
 * @example const typedAhead = useTypedAhead(isPaletteOpen);
 */
export function useTypedAhead(isOpening: boolean): RefObject<string[]> {
  const typedKeys = useRef<string[]>([]);
  useEffect(() => {
    if (!isOpening) return;
    setOpening(true);
    const collect = (event: KeyboardEvent) => {
      if (isOverlayOpen() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.key.length === 1 || actingKeys.includes(event.key)) typedKeys.current.push(event.key);
      else if (event.key === 'Backspace') typedKeys.current.pop();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', collect, { capture: true });
    return () => {
      setOpening(false);
      window.removeEventListener('keydown', collect, { capture: true });
      typedKeys.current = [];
    };
  }, [isOpening]);
  return typedKeys;
}
