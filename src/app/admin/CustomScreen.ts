import type { ComponentType } from 'react';
import type { Definitions } from './DefinitionsContext';

/** A bespoke screen, given to the application by whoever puts it together. */
export interface CustomScreen {
  /** Its path, as react-router writes it: `/timesheet`. */
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Its place in the side menu; none: reached otherwise. */
  menu?: { label: string; icon: string; group?: string; order?: number };
  /** Who may open it; everybody where it is left out. */
  allowed?: (definitions: Definitions) => boolean;
  /** Leaves the side menu out while it is shown. */
  menuHidden?: boolean;
  /** Needs the width: the side menu is folded while it is shown, until somebody unfolds it there. */
  menuFolded?: boolean;
}

/** A path whose place is another one: `/modules/:name` is shown at `/studio/:name`. */
export interface Alias {
  path: string;
  to: string;
}
