import { useEffect, useEffectEvent, type KeyboardEvent as ReactKeyboardEvent } from 'react';
import { useDraftStore } from './draft';

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target' | 'defaultPrevented'
> & {
  preventDefault(): void;
};

/**
 * Ctrl+S publishes, wherever the focus is. Ctrl+Z and Ctrl+Shift+Z undo and redo changes of the draft, except in text
 * inputs, which have their own undo. Returns a handler for keys pressed in the preview, which is a separate document.
 */
export function useEditorKeys(publish: () => void): (event: ReactKeyboardEvent) => void {
  const store = useDraftStore();
  const press = (event: KeyPress) => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 's' && !event.shiftKey) {
      event.preventDefault();
      publish();
    }
    if (key === 'z' && !isTyping(event.target)) {
      event.preventDefault();
      const { undo, redo } = store.get();
      (event.shiftKey ? redo : undo)?.();
    }
  };
  const onKey = useEffectEvent(press);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    // In the capture phase, before another handler can stop the event.
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
  return press;
}

const isTyping = (target: EventTarget | null) =>
  target !== null &&
  'matches' in target &&
  ((target as HTMLElement).isContentEditable ||
    (target as HTMLElement).matches('textarea, input:not([type=checkbox], [type=radio])'));
