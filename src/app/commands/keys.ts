/**
 * The name of the keys of an event: `n`, `/`, `?`, `Ctrl+S`, `Ctrl+Enter`; the Command key counts as Ctrl. Letters of
 * keyboards with another alphabet count as the Latin letter at the same place.
 *
 * @example keysOf(new KeyboardEvent('keydown', { key: 's', ctrlKey: true })); // 'Ctrl+S'
 */
export function keysOf(event: KeyboardEvent): string {
  const key = latinLetter(event);
  if (!(event.ctrlKey || event.metaKey)) return event.altKey ? `Alt+${key}` : key;
  return `Ctrl+${key.length === 1 ? key.toUpperCase() : key}`;
}

/**
 * The key, letters in small. Of keyboards with another alphabet, the Latin letter at the same place.
 *
 * @example latinLetter(new KeyboardEvent('keydown', { key: 'о', code: 'KeyJ' })); // 'j'
 */
export function latinLetter({ key, code }: KeyboardEvent): string {
  const isOther = key.length === 1 && key.toLowerCase() !== key.toUpperCase() && !/^[a-z]$/i.test(key);
  const keyLetter = isOther && /^Key[A-Z]$/.test(code) ? code.slice(3) : key;
  return keyLetter.length === 1 ? keyLetter.toLowerCase() : keyLetter;
}

const otherInputs = new Set(['button', 'checkbox', 'radio', 'range', 'reset', 'submit']);

/**
 * Whether single keys belong to what has the focus: text is typed there, or a letter chooses a value.
 *
 * @example isTextInput(document.activeElement);
 */
export function isTextInput(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !otherInputs.has(target.type);
  const inputSelector = 'textarea, select, [contenteditable=true], [role=textbox], [role=combobox]';
  return target instanceof Element && target.closest(inputSelector) !== null;
}

/**
 * Whether a dialog, a menu or the list of a select is open, which has the keys for itself.
 *
 * @example isOverlayOpen() || run();
 */
export function isOverlayOpen(): boolean {
  return (
    document.querySelector('[role=dialog], [role=alertdialog], [role=menu], .MuiPopover-root [role=listbox]') !== null
  );
}
