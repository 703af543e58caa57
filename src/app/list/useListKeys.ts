import { useEffect, useEffectEvent } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { useAddRecord } from './useAddRecord';
import { useMayAdd } from './useMayAdd';

/** The id of the search box. */
export const searchBoxId = 'list-search';

/** Keyboard shortcuts outside of text inputs: `/` searches, `n` adds. */
export function useListKeys(definition: Definition): void {
  const { run } = useAddRecord(definition);
  const add = useEffectEvent(run);
  const mayAdd = useMayAdd(definition);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusy(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        document.getElementById(searchBoxId)?.focus();
      } else if (event.key === 'n' && mayAdd) {
        event.preventDefault();
        add();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [mayAdd]);
}

/** Whether shortcuts are inactive: a text input has the focus, or a dialog or menu is open. */
function isBusy(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest('input, textarea, select, [contenteditable=true]')) return true;
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}
