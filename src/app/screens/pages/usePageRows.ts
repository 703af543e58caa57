import { createContext, use, useCallback, useMemo, useRef, type RefObject } from 'react';
import { useNavigationType } from 'react-router-dom';
import { useCommands } from '../../commands/commands';

interface PageRows {
  /** Remembers the row that is opened, so that coming back leads to it. */
  readonly remember: (key: string) => void;
  /** Whether a row that appears is the one that was left. */
  readonly isLeft: (key: string) => boolean;
}

export const PageRowsContext = createContext<PageRows>({ remember: () => {}, isLeft: () => false });

/** The attribute of the rows of all tiles, between which keys move. */
const rowSelector = '[data-page-row]';

/** Keys over the rows of a page's tiles: `j` and `k` move, Enter opens; coming back leads to the row that was opened. */
export function usePageRows(page: number | string, list: RefObject<HTMLElement | null>): PageRows {
  const storageKey = `assay.page.${page}.row`;
  const cameBack = useNavigationType() === 'POP';
  const left = useRef(cameBack ? read(storageKey) : null);
  const move = (steps: number) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(rowSelector) ?? [])];
    const currentIndex = rows.findIndex(
      (row) => row === document.activeElement || row.contains(document.activeElement),
    );
    const next = rows[currentIndex < 0 ? (steps > 0 ? 0 : rows.length - 1) : currentIndex + steps];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useCommands(() => [
    { id: 'next-row', label: 'Next row', keys: 'j', keysOnly: true, isRepeatable: true, run: () => move(1) },
    { id: 'previous-row', label: 'Previous row', keys: 'k', keysOnly: true, isRepeatable: true, run: () => move(-1) },
  ]);
  return useMemo(
    () => ({
      remember: (key) => {
        try {
          sessionStorage.setItem(storageKey, key);
        } catch {
          // Without storage, coming back leads to the top.
        }
      },
      isLeft: (key) => {
        if (left.current !== key) return false;
        left.current = null;
        return true;
      },
    }),
    [storageKey],
  );
}

function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * The props of a row's link: to be moved to by keys, and to be found again.
 *
 * @example <Link to={path} {...usePageRow(`defects:${record.id}`)} />
 */
export function usePageRow(key: string) {
  const { remember, isLeft } = use(PageRowsContext);
  const ref = useCallback(
    (link: HTMLAnchorElement | null) => {
      if (link && isLeft(key)) link.focus();
    },
    [isLeft, key],
  );
  return { ref, 'data-page-row': key, onFocus: () => remember(key) };
}
