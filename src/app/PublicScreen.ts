import type { ComponentType } from 'react';

/** A bespoke screen for visitors without an account, given to the application by whoever puts it together. */
export interface PublicScreen {
  /** How its paths begin: `/shared/`. */
  start: string;
  load: () => Promise<{ default: ComponentType }>;
}
