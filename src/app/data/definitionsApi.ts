import type { Actor, Permissions } from '../../engine/access/actor';
import type { RoleName } from '../../engine/access/audience';
import type { Definition } from '../../engine/definitions/definition';
import { indexDefinitions, type Registry } from '../../engine/registry/index-definitions';
import { applyPreferences, type Preferences } from './preferences';
import { ApiError, requestApi, fetchApi } from '../session/api';
import type { SessionRole, SessionUser } from '../session/session';

/** The signed-in user, as the server currently sees them; besides, the product's facts. */
export interface Me {
  user: SessionUser & {
    site?: { id: number; name: string } | null;
    /** Whether the email address is confirmed, which owners have to do. */
    confirmed?: boolean;
    /** Whether the user may view the program as others. */
    mayViewAs?: boolean;
  };
  role: SessionRole;
  /** The roles of the installation and of the company, as messages name them. */
  roles?: readonly RoleName[];
  permissions: Permissions;
  preferences?: Preferences;
  /** Of a user being viewed as: what their role holds, with what cannot be done while viewing. */
  held?: Permissions;
}

/** `GET me`; what they prefer applies before anything of it is shown. */
export async function fetchMe(): Promise<Me> {
  const { data } = await fetchApi<{ data: Me }>('/me');
  await applyPreferences(data.preferences);
  return data;
}

/** `GET view-as`: the user being viewed as, in the same shape. */
export async function fetchViewedUser(): Promise<Me> {
  return (await fetchApi<{ data: Me }>('/view-as')).data;
}

/**
 * The actor for access decisions, with what the product says of them, which conditions may use (`$actor.totalOrders`);
 * with `viewer` if somebody views as them.
 */
export function actorOf(me: Me, viewer?: Me): Actor {
  const { user, role, permissions, held: heldPermissions = permissions, preferences: _preferences, ...facts } = me;
  return {
    ...facts,
    ...(viewer && { viewer: actorOf(viewer) }),
    id: user.id,
    role_id: role.id,
    role: role.key,
    level: role.level as Actor['level'],
    site_id: user.site_id,
    permissions: heldPermissions,
  };
}

/**
 * Returns a function that fetches the active definitions. It sends the last ETag, and returns the same registry object
 * if nothing changed.
 */
export function createDefinitionsFetcher(): () => Promise<Registry> {
  let tag: string | null = null;
  let registry: Registry | null = null;
  return async () => {
    try {
      const response = await requestApi('/definitions', { headers: tag ? { 'If-None-Match': tag } : {} });
      const { data } = (await response.json()) as { data: Definition[] };
      tag = response.headers.get('ETag');
      registry = indexDefinitions(data, (registry?.version ?? 0) + 1);
      return registry;
    } catch (error) {
      if (registry && error instanceof ApiError && error.status === 304) return registry;
      throw error;
    }
  };
}
