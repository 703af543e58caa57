import { Level } from '../../engine/definitions/level';
import type { Actor } from '../../engine/access/actor';

/** Who may change modules, for the declarations of calls. */
export const moduleAccess = {
  scope: 'level',
  shownTo: ({ level }: Actor) => level === Level.Installation,
  refusal: "You don't have permission to change modules: only the installation's administrator does.",
} as const;
