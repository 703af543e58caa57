import type { Actor, Permissions } from '../../engine/access/actor';
import type { Definition } from '../../engine/definitions/definition';
import { createRegistry, type Registry } from '../../engine/definitions/registry';
import { ApiError, requestApi, fetchApi } from '../session/api';
import type { SessionRole, SessionUser } from '../session/session';

/** Who is signed in, as the server sees it at this moment. */
export interface Me {
  user: SessionUser & {
    site?: { id: number; name: string } | null;
    /** Whether the address is confirmed, as that of an owner is to be. */
    confirmed?: boolean;
    /** Whether one may see the program as others do. */
    mayViewAs?: boolean;
  };
  role: SessionRole;
  totalClients: number;
  totalProjects: number;
  permissions: Permissions;
}

/** `GET me`. */
export async function fetchMe(): Promise<Me> {
  return (await fetchApi<{ data: Me }>('/me')).data;
}

/** `GET view-as`: as whom the program is seen, in the same shape. */
export async function fetchViewed(): Promise<Me> {
  return (await fetchApi<{ data: Me }>('/view-as')).data;
}

/** The actor, with the counts that redirects after saving may ask for. */
export type SignedIn = Actor & Pick<Me, 'totalClients' | 'totalProjects'>;

/** The actor as the access decision wants it; with a `viewer` somebody whom they view as. */
export function actorOf({ user, role, permissions, totalClients, totalProjects }: Me, viewer?: Me): SignedIn {
  return {
    ...(viewer && { viewer: actorOf(viewer) }),
    id: user.id,
    role_id: role.id,
    level: role.level as Actor['level'],
    site_id: user.site_id,
    permissions,
    totalClients,
    totalProjects,
  };
}

/**
 * Answers a function that gets the definitions in force. It sends the last answer's ETag along, and gives back the very
 * same registry where nothing changed.
 */
export function definitionsFetcher(): () => Promise<Registry> {
  let tag: string | null = null;
  let registry: Registry | null = null;
  return async () => {
    try {
      const response = await requestApi('/definitions', { headers: tag ? { 'If-None-Match': tag } : {} });
      const { data } = (await response.json()) as { data: Definition[] };
      tag = response.headers.get('ETag');
      registry = createRegistry(data, (registry?.version ?? 0) + 1);
      return registry;
    } catch (error) {
      if (registry && error instanceof ApiError && error.status === 304) return registry;
      throw error;
    }
  };
}
