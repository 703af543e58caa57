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
}
