import type { Action, Level } from '../definitions/definition';

/** Granted actions by module. */
export type Permissions = Readonly<Record<string, readonly Action[]>>;

/** The signed-in user, as far as access needs to know. */
export interface Actor {
  readonly id: number;
  readonly role_id: number;
  readonly level: Level;
  /** The company; null for level 1, who belongs to none. */
  readonly site_id: number | null;
  readonly permissions: Permissions;
  /**
   * Who really asks, where somebody looks at the program as this actor: then there is nothing but what both may list
   * and view, and `id` is `nobody` where a role alone is looked through.
   */
  readonly viewer?: Actor;
}

/** Where an id of a user must stand and there is none: one that may be asked for like any other, and that nobody ever has. */
export const nobody = 2_147_483_647;

/** Whose session it is: whoever views as another stays themselves in everything that is personal. */
export function personOf(actor: Actor): Actor {
  return actor.viewer ?? actor;
}
