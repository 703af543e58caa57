import { isOverlayOpen, isTextInput } from './keys';
import { actingKeys, splitTypedAhead } from './palette';

/** Milliseconds after which keys are no longer kept for what does not open. */
const patience = 5_000;

/** Saves what was opened. */
const submit = 'Ctrl+Enter';

let stop: (() => void) | undefined;
let isOpening = false;
/** While a key that was kept is pressed: it is for what has opened. */
let isPressing = false;
/** The keys that wait. */
let keys: string[] = [];

/** Says that something is being opened whose code is loaded still, or that it is shown. */
export const setOpening = (isNow: boolean): void => {
  isOpening = isNow;
};

/**
 * Whether the keys that are pressed now are text of something that is being opened.
 *
 * @example if (isTypingAhead()) return;
 */
export const isTypingAhead = (): boolean => !isPressing && (stop !== undefined || (isOpening && !isOverlayOpen()));

/**
 * Keeps the keys that are pressed from when something was opened until its input has the focus, as its code may still be
 * loaded then: they are typed into it, and none of them is taken for a shortcut.
 *
 * @param container Where the input appears. Going to another input ends it. Default: a dialog or palette.
 * @returns A function that ends it: what was opened does not come.
 * @example typeAhead();
 */
export function typeAhead(container?: Element): () => void {
  // A kept key opens something else: those after it are for that.
  const laterKeys = isPressing ? keys : [];
  stop?.();
  keys = laterKeys;
  const keep = (event: KeyboardEvent) => {
    if (isPressing || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') return stop?.();
    const isControl = event.ctrlKey || event.metaKey;
    const isKept = isControl ? event.key === 'Enter' : event.key.length === 1 || actingKeys.includes(event.key);
    if (!isKept) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // The key that opened it is perhaps still held.
    if (event.repeat && event.key.length > 1) return;
    keys.push(isControl ? submit : event.key);
  };
  // The browser types, so that the input notices it as it does any other text.
  const type = () => {
    if (stop !== end) return;
    const { text, act, rest } = splitTypedAhead(keys.splice(0));
    if (text !== '') document.execCommand('insertText', false, text);
    if (act === undefined) return end();
    keys.push(act, ...rest);
    setTimeout(pressNext);
  };
  // One after the other, so that each finds what the one before has changed; those that are pressed meanwhile come after them.
  const pressNext = () => {
    const key = stop === end && keys.shift();
    if (!key) return;
    isPressing = true;
    press(key);
    isPressing = false;
    if (stop === end && keys.length === 0) end();
    else setTimeout(pressNext);
  };
  // After the focus is settled.
  const typeSoon = ({ target }: FocusEvent) => {
    if (!isTextInput(target)) return;
    if (container ? container.contains(target as Node) : isOverlayOpen()) {
      window.removeEventListener('focusin', typeSoon);
      setTimeout(type);
    } else if (container) stop?.();
  };
  const timer = setTimeout(() => stop?.(), patience);
  const end = () => {
    clearTimeout(timer);
    window.removeEventListener('keydown', keep, { capture: true });
    window.removeEventListener('focusin', typeSoon);
    if (stop === end) stop = undefined;
  };
  stop = end;
  window.addEventListener('keydown', keep, { capture: true });
  window.addEventListener('focusin', typeSoon);
  return end;
}

function press(name: string): void {
  const key = name === submit ? { key: 'Enter', ctrlKey: true } : { key: name };
  const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true });
  const isFree = document.activeElement?.dispatchEvent(event);
  // The browser types no letter for an event that a program sends.
  if (isFree && name.length === 1 && isTextInput(document.activeElement))
    document.execCommand('insertText', false, name);
}
