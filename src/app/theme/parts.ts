import type { Components, Theme } from '@mui/material/styles';

/** What a file of overrides gives to the theme. */
export type Parts = Components<Omit<Theme, 'components'>>;

/** Widths up to which a screen counts as a phone. */
export const phone = '@media (max-width: 600px)';

/** The short change of colour and edge that everything shares. */
export const quick = 'background-color 120ms ease-out, border-color 120ms ease-out, color 120ms ease-out';
