import { Level } from '../../../engine/definitions/level';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Actor, Permissions } from '../../../engine/access/actor';
import type { Action, Definition } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import { parseGrant } from '../../fields/permissions/modulePermissions';
import { fetchApi } from '../../session/api';

/** A role as the API returns it: a shipped one, or one that a company added. */
export interface Role {
  readonly id: number;
  readonly role_name: string;
  readonly key: string;
  readonly level: Level;
  readonly site_id: number | null;
  readonly modulePermission: readonly string[];
}

/** A company or a person. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

const quiet = { staleTime: 60_000, meta: { quiet: true } } as const;
const allRange = encodeURIComponent('[0,99]');

async function fetchData<T>(path: string, signal: AbortSignal): Promise<T> {
  return (await fetchApi<{ data: T }>(path, { signal })).data;
}

/** The state of a query: its data once loaded, its error, and a function to load it again. */
export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** The companies of the installation. */
export function useCompanies(): QueryState<readonly Named[]> {
  return useQuery({
    queryKey: ['sites', 'preview'],
    queryFn: ({ signal }) => fetchData<Named[]>(`/sites?range=${allRange}`, signal),
    ...quiet,
  });
}

/** The roles of a company and those of the installation. */
export function useRoleChoices(company: number | undefined): QueryState<readonly Role[]> {
  const { data, error, refetch } = useQuery({
    queryKey: ['roles', 'preview'],
    queryFn: ({ signal }) => fetchData<Role[]>(`/roles?range=${allRange}`, signal),
    ...quiet,
  });
  const companyRoles = useMemo(
    () =>
      data
        ?.filter(({ site_id: site }) => site === null || site === company)
        .sort((first, second) => first.level - second.level || first.id - second.id),
    [company, data],
  );
  return { data: companyRoles, error, refetch };
}

/** The first user who holds a role in a company; null if there is none. */
export function usePerson(role: Role | undefined, company: number | undefined): QueryState<Named | null> {
  const isOfCompany = role !== undefined && role.level > Level.Installation;
  const filter = JSON.stringify({ role_id: role?.id, status_id: 1, ...(isOfCompany && { site_id: company }) });
  const query = new URLSearchParams({ filter, range: '[0,0]', sort: '["id","ASC"]' });
  return useQuery({
    queryKey: ['users', 'preview', filter],
    queryFn: async ({ signal }) => (await fetchData<Named[]>(`/users?${query}`, signal))[0] ?? null,
    enabled: role !== undefined && company !== undefined,
    ...quiet,
  });
}

/** The actor of the preview: a person with a role's grants and, for a new module, its default grants. */
export function useViewer(role: Role, person: Named | null, company: number, draft: Definition): Actor {
  const { registry, actor } = useDefinitions();
  const { name, grants } = draft;
  const isNew = !registry.get(name);
  const ownGrants = isNew ? grants[role.level] : undefined;
  return useMemo(() => {
    const permissions = { ...permissionsOf(role), ...(ownGrants && { [name]: ownGrants }) };
    const { id: role_id, key, level } = role;
    const site_id = level === Level.Installation ? null : company;
    return { ...actor, id: person?.id ?? 0, role_id, role: key, level, site_id, permissions };
  }, [actor, company, name, ownGrants, person, role]);
}

/**
 * The viewer as the server reads it: a person, or a role nobody has yet.
 *
 * @example viewAsText(role, null, 2); // 'role 4 site 2'
 */
export function viewAsText({ id, level }: Role, person: Named | null, company: number): string {
  if (person) return `user ${person.id}`;
  return level === Level.Installation ? `role ${id}` : `role ${id} site ${company}`;
}

function permissionsOf({ modulePermission }: Role): Permissions {
  const permissions: Record<string, Action[]> = {};
  for (const id of modulePermission) {
    const { module, action } = parseGrant(id);
    (permissions[module] ??= []).push(action);
  }
  return permissions;
}
