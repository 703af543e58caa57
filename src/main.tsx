import '@fontsource-variable/inter';
import './app/theme/tokens.css';
import './app/theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Root } from './app/Root';
import { publicScreens } from '../custom-screens/public';

/** The signed-in application with its bespoke screens, all of it loaded late. */
async function loadAdmin() {
  const [{ default: AdminApp }, { screens }] = await Promise.all([
    import('./app/admin/AdminApp'),
    import('../custom-screens'),
  ]);
  return { default: () => <AdminApp screens={screens} /> };
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Root loadAdmin={loadAdmin} publicScreens={publicScreens} />
  </StrictMode>,
);
