import '@fontsource-variable/inter';
import './app/theme/tokens.css';
import './app/theme/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Root } from './app/Root';

// Pages that a visitor without an account may see; every other page belongs behind the sign-in.
const publicPaths = ['/testcase/'];

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Root loadAdmin={() => import('./app/admin/AdminApp')} publicPaths={publicPaths} />
  </StrictMode>,
);
