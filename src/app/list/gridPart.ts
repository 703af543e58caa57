/** Loads the grid, which lists on phones and boards do without. */
export const loadGrid = () => import('./grid/GridView').then((part) => ({ default: part.GridView }));
