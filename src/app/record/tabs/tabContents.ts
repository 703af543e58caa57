import type { ComponentType } from 'react';
import type { CustomScreen } from '../../product';
import { lazyComponent } from '../../states/lazyComponent';

const contents = new Map<string, ComponentType>();

/**
 * Adds what a product shows in tabs of forms and record pages, by the names that definitions use (`content`), before
 * anything is rendered. Each is loaded when its tab is first opened, and finds its record by `useRecordContext`. Returns
 * a function that removes them.
 *
 * @example registerTabContents({ reviews: () => import('./ReviewsTab') });
 */
export function registerTabContents(screens: Readonly<Record<string, CustomScreen['load']>>): () => void {
  for (const [name, load] of Object.entries(screens)) contents.set(name, lazyComponent(load));
  return () => {
    for (const name of Object.keys(screens)) contents.delete(name);
  };
}

/** The content of a tab; undefined: the product has none of this name. */
export function tabContentOf(name: string | undefined): ComponentType | undefined {
  return name === undefined ? undefined : contents.get(name);
}
