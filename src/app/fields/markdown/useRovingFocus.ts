import { useEffect, type KeyboardEvent, type RefObject } from 'react';
import { itemAt } from '../../../engine/values/lookups';

/**
 * A toolbar is one stop of Tab, and the arrows, Home and End go through its buttons. The stop is the button that had the
 * focus last. One that `isPassed` by Tab is reached by `focusToolbar` alone.
 *
 * @returns what handles the keys of the toolbar.
 * @example const rove = useRovingFocus(bar); // <div ref={bar} role="toolbar" onKeyDown={rove}>
 */
export function useRovingFocus(
  toolbar: RefObject<HTMLElement | null>,
  isPassed = false,
): (event: KeyboardEvent) => void {
  // Buttons that are switched off or on in between may have become the stop, or lost it.
  useEffect(() => makeStop(buttonsOf(toolbar.current), isPassed));
  return (event) => {
    const buttons = buttonsOf(toolbar.current);
    const index = buttons.indexOf(event.target as HTMLButtonElement);
    if (index < 0) return;
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const button = itemAt(buttons, next % buttons.length);
    makeStop(buttons, isPassed, button);
    button.focus();
  };
}

/**
 * Goes to the button of a toolbar that had the focus last.
 *
 * @example focusToolbar(frame.current);
 */
export function focusToolbar(container: HTMLElement | null): void {
  container?.querySelector<HTMLElement>('[role=toolbar] button[data-stop]:not(:disabled)')?.focus();
}

const buttonsOf = (toolbar: HTMLElement | null) => [
  ...(toolbar?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? []),
];

function makeStop(buttons: readonly HTMLButtonElement[], isPassed: boolean, target?: HTMLButtonElement): void {
  const stop = target ?? buttons.find(({ dataset }) => dataset.stop !== undefined) ?? buttons[0];
  for (const button of buttons) {
    button.tabIndex = button === stop && !isPassed ? 0 : -1;
    if (button === stop) button.dataset.stop = '';
    else delete button.dataset.stop;
  }
}
