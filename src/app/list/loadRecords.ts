/** Loads the grid's code, which phones and boards don't need. */
export const loadGrid = () => import('./grid/GridView').then((part) => ({ default: part.GridView }));

/** Loads the code of cards, which phones show instead. */
export const loadCards = () => import('./cards/Cards');
