import { createContext, use } from 'react';
import type { ResourceRecord } from '../../engine/definitions/definition';
import type { tabPanel } from '../layout/TabBar';

/** Where a list is shown, and what that fixes. */
export interface ListScope {
  /** Fixed filters besides the user's: of the tab, or of the surrounding record. */
  readonly fixed: Readonly<ResourceRecord>;
  /** It is part of another record's form. */
  readonly embedded: boolean;
  /** Its charts can be shown above it. */
  readonly charts?: boolean;
  /** Adds a record; by default as the definition says. */
  readonly onAdd?: () => void;
  /** The panel props of its tabs, if it has tabs. */
  readonly panel?: ReturnType<typeof tabPanel>;
  /** Saves the list as it is shown as a view; undefined: the user cannot. */
  readonly onSaveView?: () => void;
  /** The names of filters that differ from the saved view. */
  readonly unsaved?: readonly string[];
  /** The name of its download, if the tab sets one. */
  readonly file?: string;
}

export const noFixedFilter: Readonly<ResourceRecord> = {};

export const ListScopeContext = createContext<ListScope>({ fixed: noFixedFilter, embedded: false });

/** The scope of the surrounding list. */
export function useListScope(): ListScope {
  return use(ListScopeContext);
}
