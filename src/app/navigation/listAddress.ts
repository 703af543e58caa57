import { createContext, use, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Where a list keeps its state as a query. */
export interface ListAddress {
  /** The module whose own list it is; undefined on other screens. */
  readonly module?: string;
  /** The query with its `?`, or nothing. */
  readonly search: string;
  /** The same, where two changes come before the next render. */
  readonly latest: () => string;
  /** Sets the query; `replace` adds no history entry. */
  readonly change: (search: string, options?: { replace?: boolean }) => void;
}

/** The address of the surrounding list; null on other screens. */
export const ListAddressContext = createContext<ListAddress | null>(null);

/** The list beneath a form, in the form's entry in the browser's history. */
export interface OverList {
  /** It was opened from the list, which is the entry before. */
  isOverList?: boolean;
  /** The query of the list. */
  list?: string;
}

/**
 * The address of the surrounding list; elsewhere the query of the page.
 *
 * @example const { search, change } = useListAddress();
 */
export function useListAddress(): ListAddress {
  const surrounding = use(ListAddressContext);
  const { search } = useLocation();
  const navigate = useNavigate();
  const pageAddress = useMemo<ListAddress>(
    () => ({
      search,
      latest: () => window.location.search,
      change: (next, { replace = false } = {}) => void navigate({ search: next }, { replace }),
    }),
    [navigate, search],
  );
  return surrounding ?? pageAddress;
}

/**
 * The address of a module's own list. While one of its forms is open over the list (`isCovered`), the page's address is the
 * form's, and the list keeps its query aside.
 *
 * @example const { search } = useOwnListAddress('meals', useParams()['*'] !== '');
 */
export function useOwnListAddress(module: string, isCovered: boolean): ListAddress {
  const location = useLocation() as { search: string; state: OverList | null };
  const navigate = useNavigate();
  const [storedSearch, setStoredSearch] = useState(isCovered ? (location.state?.list ?? '') : location.search);
  if (!isCovered && storedSearch !== location.search) setStoredSearch(location.search);
  return useMemo<ListAddress>(
    () => ({
      module,
      search: storedSearch,
      latest: () => (isCovered ? storedSearch : window.location.search),
      change: (next, { replace = false } = {}) => {
        if (isCovered) setStoredSearch(next);
        else void navigate({ search: next }, { replace });
      },
    }),
    [isCovered, storedSearch, module, navigate],
  );
}
