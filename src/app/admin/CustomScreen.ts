import type { ComponentType } from 'react';
import type { Definitions } from './DefinitionsContext';

/** A custom screen, passed to the application by the product. */
export interface CustomScreen {
  /** Its react-router path: `/timesheet`. */
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Its entry in the side menu; without it the screen is reached by links only. */
  menu?: { label: string; icon: string; group?: string; order?: number };
  /** Decides whether a user may open it; everybody may if it is left out. */
  allowed?: (definitions: Definitions) => boolean;
  /** Hides the side menu while it is shown. */
  menuHidden?: boolean;
  /** Starts with the side menu folded, because the screen needs the width. */
  menuFolded?: boolean;
}

/** A path that redirects to another one: `/modules/:name` to `/studio/:name`. */
export interface Alias {
  path: string;
  to: string;
}
