import '@fontsource-variable/inter';
import './app/theme/tokens.css';
import './app/theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Root } from './app/Root';

// Pages that a visitor without an account may see; every other page belongs behind the sign-in.
const publicPaths = ['/testcase/'];

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
    <Root loadAdmin={loadAdmin} publicPaths={publicPaths} />
  </StrictMode>,
);
