import type { ComponentType } from 'react';
import { isBuiltInView } from '../../engine/lists/list-state';
import type { ProductView } from '../product';
import { lazyComponent } from '../states/lazyComponent';

const views = new Map<string, Omit<ProductView, 'load'> & { readonly Content: ComponentType }>();

/**
 * Adds layouts of lists by the names that definitions use (`list.views`), before anything is rendered. Returns a function that
 * removes them. Throws for a name without a hyphen: definitions cannot name it.
 *
 * @example registerListViews({ 'star-board': { label: 'Stars', icon: 'star', load: () => import('./StarBoard') } });
 */
export function registerListViews(newViews: Readonly<Record<string, ProductView>>): () => void {
  for (const [name, { load, ...view }] of Object.entries(newViews)) {
    if (isBuiltInView(name) || !name.includes('-'))
      throw new Error(`The list view "${name}" needs a hyphen in its name, as in "my-${name}".`);
    views.set(name, { ...view, Content: lazyComponent(load) });
  }
  return () => {
    for (const name of Object.keys(newViews)) views.delete(name);
  };
}

/** A layout that the product registered; undefined: it has none of this name. */
export function productViewOf(name: string) {
  return views.get(name);
}
