import type { BrowserProduct } from 'assay/app/product';

/** Adds to the definitions a screen, a layout of the assets, and a tab of their makers. */
export const product: BrowserProduct = {
  name: 'inventory',
  loadScreens: async () => ({
    screens: [
      {
        path: '/register',
        load: () => import('./screens/Register'),
        menu: { label: 'Register', icon: 'list', group: 'Inventory', order: 3 },
      },
    ],
    listViews: { 'asset-labels': { label: 'Labels', icon: 'tag', load: () => import('./screens/AssetLabels') } },
    formTabs: { 'maker-assets': () => import('./screens/MakerAssets') },
  }),
};
