import { useCallback, useState } from 'react';

function read<T>(key: string, initial: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? initial : (JSON.parse(text) as T);
  } catch {
    return initial;
  }
}

/**
 * State stored in this browser under a key. A value that cannot be stored lasts until the page is left.
 *
 * @example const [isFolded, setFolded] = useRemembered('menu.folded', false);
 */
export function useRemembered<T>(key: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => read(key, initial));
  const remember = useCallback(
    (next: T) => {
      setValue(next);
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Storage is full or switched off.
      }
    },
    [key],
  );
  return [value, remember];
}
