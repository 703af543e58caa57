/** The actions that a grant can name. */
export const actions = ['list', 'view', 'create', 'edit', 'delete'] as const;
export type Action = (typeof actions)[number];
