import '@fontsource-variable/inter';
import './app/theme/tokens.css';
import './app/theme/base.css';
import './app/theme/forced-colors.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isBehindSignIn, Root } from './app/Root';
import { prefetchRequests } from './app/session/prefetch';
import { requestApi } from './app/session/api';
import { readSession } from './app/session/session';
import { preloadComponent } from './app/states/lazyComponent';
import { publicScreens } from '../custom-screens/public';

/** The signed-in application with its custom screens, loaded on demand. */
async function loadAdmin() {
  const [{ default: AdminApp, preloadPath }, { screens }] = await Promise.all([
    import('./app/admin/AdminApp'),
    import('../custom-screens'),
  ]);
  preloadPath(location.pathname, screens).catch(() => undefined);
  return { default: () => <AdminApp screens={screens} /> };
}

// The first page needs code, data and one render: start all three now.
if (readSession() && isBehindSignIn(location.pathname, publicScreens)) {
  prefetchRequests(requestApi);
  preloadComponent(loadAdmin).catch(() => undefined);
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Root loadAdmin={loadAdmin} publicScreens={publicScreens} />
  </StrictMode>,
);
