import type { BrowserProduct } from '../src/app/product';
import { publicScreens } from './public';
import type { SetupTotals } from './setup/totals';

const owner = 2;

/** The browser's half of the product for QA teams; `src/product` is the server's. */
export const product: BrowserProduct = {
  name: 'qa',
  welcome: 'Know what is tested, what is broken and who is on it, without asking anyone.',
  home: '/dashboard',
  facts: ['totalClients', 'totalProjects'] satisfies (keyof SetupTotals)[],
  // An owner sets up the company before anything else.
  firstPath: ({ role, totalClients, totalProjects }) =>
    role.level === owner && (totalClients === 0 || totalProjects === 0) ? '/flow-setup-steps' : undefined,
  publicScreens,
  loadScreens: () => import('./screens'),
};
