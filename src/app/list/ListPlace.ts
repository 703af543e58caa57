import { createContext, use } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { tabPanel } from '../layout/TabBar';

/** Where a list stands, and what that fixes for it. */
export interface ListPlace {
  /** Query names and values that hold besides what the user filters: of the tab, or of the record around the list. */
  readonly fixed: Readonly<ResourceRecord>;
  /** It stands within another record's form. */
  readonly embedded: boolean;
  /** Adds a record; the definition's own way where it is left out. */
  readonly onAdd?: () => void;
  /** What makes its records the panel of its tabs, where it has some. */
  readonly panel?: ReturnType<typeof tabPanel>;
  /** The file that its download is called, where the tab says so. */
  readonly file?: string;
}

export const nothingFixed: Readonly<ResourceRecord> = {};

export const ListPlaceContext = createContext<ListPlace>({ fixed: nothingFixed, embedded: false });

/** The place of the list around the caller. */
export function useListPlace(): ListPlace {
  return use(ListPlaceContext);
}
