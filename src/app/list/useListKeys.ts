import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { Definition } from '../../engine/definitions/definition';
import { useMayAdd } from './useMayAdd';

/** The search box of the list on the screen, by this id. */
export const searchBoxId = 'list-search';

/** Keys that work wherever nothing is being typed: `/` searches, `n` adds. */
export function useListKeys(definition: Definition): void {
  const navigate = useNavigate();
  const mayAdd = useMayAdd(definition);
  const { name } = definition;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isBusy(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        document.getElementById(searchBoxId)?.focus();
      } else if (event.key === 'n' && mayAdd) {
        event.preventDefault();
        void navigate(`/${name}/create`);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [mayAdd, name, navigate]);
}

/** Whether keys belong to somebody else: something is being typed, or a dialog or menu is open. */
function isBusy(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest('input, textarea, select, [contenteditable=true]')) return true;
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}
