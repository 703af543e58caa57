import { useEffect, useEffectEvent } from 'react';

export interface ProposalCommands {
  merge: () => void;
  keepApart: () => void;
  next: () => void;
  previous: () => void;
  undo: () => void;
  find: () => void;
}

/** Runs commands by their keys, unless text is edited or a dialog is open. */
export function useProposalKeys(commands: ProposalCommands): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTextInput(event.target) || isDialogOpen() || event.altKey) return;
    const keyLetter = latinLetter(event);
    const isControl = event.ctrlKey || event.metaKey;
    if (isControl && !(keyLetter === 'z' && !event.shiftKey)) return;
    // A key that is held down moves through the proposals, and decides nothing twice.
    if (event.repeat && keyLetter !== 'j' && keyLetter !== 'k') return;
    const { merge, keepApart, next, previous, undo, find } = commands;
    const keys: Readonly<Record<string, () => void>> = { m: merge, a: keepApart, j: next, k: previous, '/': find };
    const command = isControl ? undo : keys[keyLetter];
    if (!command) return;
    event.preventDefault();
    command();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

/** The key in small letters. Of keyboards with another alphabet, the Latin letter at the same place. */
function latinLetter({ key, code }: KeyboardEvent): string {
  const isForeignLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase() && !/^[a-z]$/i.test(key);
  return (isForeignLetter && /^Key[A-Z]$/.test(code) ? code.slice(3) : key).toLowerCase();
}

const isTextInput = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input, textarea, select, [contenteditable=true]');

const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
