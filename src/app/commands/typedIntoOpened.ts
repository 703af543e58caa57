import { isOverlayOpen, isTextInput } from './keys';
import { actingKeys, splitTypedAhead } from './palette';

/** Milliseconds after which keys are no longer kept for what does not open. */
const patience = 5_000;

let stop: (() => void) | undefined;

/**
 * Keeps the keys that are pressed from when a key opened something until its input has the focus, as its code may still be
 * loaded then: they are typed into it, and none of them is taken for a shortcut.
 *
 * @example typedIntoOpened();
 */
export function typedIntoOpened(): void {
  stop?.();
  const kept: string[] = [];
  const keep = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') return stop?.();
    if (event.key.length !== 1 && !actingKeys.includes(event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    kept.push(event.key);
  };
  const type = () => {
    stop?.();
    const { text, act, rest } = splitTypedAhead(kept);
    // The browser types, so that the input notices it as it does any other text.
    if (text !== '') document.execCommand('insertText', false, text);
    const keys = act === undefined ? [] : [act, ...rest];
    for (const key of keys)
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  };
  // After the focus is settled.
  const typeSoon = ({ target }: FocusEvent) => {
    if (isOverlayOpen() && isTextInput(target)) setTimeout(type);
  };
  const timer = setTimeout(() => stop?.(), patience);
  stop = () => {
    clearTimeout(timer);
    window.removeEventListener('keydown', keep, { capture: true });
    window.removeEventListener('focusin', typeSoon);
    stop = undefined;
  };
  window.addEventListener('keydown', keep, { capture: true });
  window.addEventListener('focusin', typeSoon);
}
