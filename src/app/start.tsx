import { StrictMode } from 'react';
import { createRoot, type Root as ReactRoot } from 'react-dom/client';
import { selectProduct, type BrowserProduct, type ProductScreens } from './product';
import { isBehindSignIn, Root } from './Root';
import { requestApi } from './session/api';
import { prefetchRequests } from './session/prefetch';
import { readSession } from './session/session';
import { preloadComponent } from './states/lazyComponent';

const noScreens: ProductScreens = { screens: [] };

/**
 * Starts the application in an element of the page, as the product that the server runs, if it is one of these; else
 * with what definitions and the system need.
 *
 * @example
 * start(document.getElementById('root')!, [crm]);
 */
export function start(element: HTMLElement, products: readonly BrowserProduct[]): ReactRoot {
  const { publicScreens = [], loadScreens } = selectProduct(products);

  /** The signed-in application with the product's screens, loaded on demand. */
  const loadAdmin = async () => {
    const [
      { default: AdminApp, preloadPath, registerListViews, registerProductTypes, registerTabContents },
      { screens, fieldTypes, formTabs, listViews, ...rest },
    ] = await Promise.all([import('./shell/AdminApp'), loadScreens?.() ?? noScreens]);
    if (fieldTypes) registerProductTypes(fieldTypes);
    if (formTabs) registerTabContents(formTabs);
    if (listViews) registerListViews(listViews);
    preloadPath(location.pathname, screens).catch(() => undefined);
    return { default: () => <AdminApp screens={screens} {...rest} /> };
  };

  // The first page needs code, data and one render: start all three now.
  if (readSession() && isBehindSignIn(location.pathname, publicScreens)) {
    prefetchRequests(requestApi);
    preloadComponent(loadAdmin).catch(() => undefined);
  }

  const root = createRoot(element);
  root.render(
    <StrictMode>
      <Root loadAdmin={loadAdmin} publicScreens={publicScreens} />
    </StrictMode>,
  );
  return root;
}
