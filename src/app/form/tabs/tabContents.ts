import type { ComponentType } from 'react';
import { loadStockMessages } from '../../admin/messages';
import { lazyComponent } from '../../states/lazyComponent';

/** Loads a component that a product shows in a tab. It finds its record by react-admin's `useRecordContext`. */
export type LoadTabContent = () => Promise<{ default: ComponentType }>;

const contents = new Map<string, ComponentType>();

/**
 * Adds what a product shows in tabs of forms and record pages, by the names that definitions use (`content`), before
 * anything is rendered. Each is loaded when its tab is first opened. Returns a function that removes them.
 *
 * @example registerTabContents({ reviews: () => import('./ReviewsTab') });
 */
export function registerTabContents(added: Readonly<Record<string, LoadTabContent>>): () => void {
  for (const [name, load] of Object.entries(added)) contents.set(name, lazyComponent(loadWithMessages(load)));
  return () => {
    for (const name of Object.keys(added)) contents.delete(name);
  };
}

/** Loads a component that may show some of react-admin's, with their messages. */
function loadWithMessages(load: LoadTabContent): LoadTabContent {
  return async () => (await Promise.all([load(), loadStockMessages()]))[0];
}

/** The content of a tab; undefined: the product has none of this name. */
export function tabContentOf(name: string | undefined): ComponentType | undefined {
  return name === undefined ? undefined : contents.get(name);
}
