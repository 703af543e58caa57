import { useEffect, useEffectEvent } from 'react';
import { useDraft } from './draft';

/** Ctrl+Z and Ctrl+Shift+Z go through the draft's steps, except where text is typed: there they are the input's own. */
export function useEditorKeys(): void {
  const { undo, redo } = useDraft();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return;
    if (isTyping(event.target)) return;
    event.preventDefault();
    (event.shiftKey ? redo : undo)?.();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, input:not([type=checkbox], [type=radio])'));
