import type { Action, Level, RoleName } from '../definitions/definition';

/** Granted actions by module. */
export type Permissions = Readonly<Record<string, readonly Action[]>>;

/** The signed-in user, as far as access needs to know. */
export interface Actor {
  readonly id: number;
  readonly role_id: number;
  readonly level: Level;
  /** The key of the role, which rules name; none of somebody who acts without a role of the installation or a company. */
  readonly role?: string;
  /** The roles of the installation and of the actor's company, as messages name them; empty: messages name none. */
  readonly roles?: readonly RoleName[];
  /** The company; null for level 1, who belongs to none. */
  readonly site_id: number | null;
  readonly permissions: Permissions;
  /** Of a service account that is limited to scopes: what its role grants without them. */
  readonly beyondScopes?: Permissions;
  /**
   * The real user behind the session while they view the program as this actor. Access is then limited to what both can
   * list and view. `id` is the placeholder below when only a role is viewed.
   */
  readonly viewer?: Actor;
}

/** A user id that no user ever has, for places that need an id although there is no user. Safe to use in queries. */
export const placeholderUserId = Number.MAX_SAFE_INTEGER;

/**
 * The user who is named as the author of what an actor does; null: nobody, as for what visitors send.
 *
 * @example authorOf({ ...actor, id: placeholderUserId }); // null
 */
export function authorOf({ id }: Pick<Actor, 'id'>): number | null {
  return id === placeholderUserId ? null : id;
}

/**
 * The user who owns the session. While viewing as another user, everything personal stays with the viewer.
 *
 * @example realUser(context.actor).id; // whose notifications these are, even while viewing as another
 */
export function realUser(actor: Actor): Actor {
  return actor.viewer ?? actor;
}
