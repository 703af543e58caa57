/** Loads the forms that are dialogs over their lists. In a module of its own, so that it can be loaded ahead. */
export const loadFormRoute = () => import('../form/DialogRoute').then((module) => ({ default: module.DialogRoute }));
