import type { Components, Theme } from '@mui/material/styles';

/** Component overrides of the theme. */
export type ComponentOverrides = Components<Omit<Theme, 'components'>>;

/** Screens up to this width count as phones. */
export const phone = '@media (max-width: 600px)';
/** Windows in which the menu is a drawer, as in `shell.module.css`. */
export const menuInDrawer = '@media (max-width: 767px)';

/** The short transition of colours and borders that all components share. */
export const quickTransition = 'background-color 120ms ease-out, border-color 120ms ease-out, color 120ms ease-out';
