import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useFigures } from '../../src/app/charts/useFigures';
import { fetchModules, type ModulePermissions } from '../../src/app/fields/permissions/modules';
import { fetchApi } from '../../src/app/session/api';
import type { Action, Level } from '../../src/engine/definitions/definition';

/** A role with what it grants, as `GET permissions` answers it. */
export interface Role {
  readonly role_id: number;
  readonly role_name: string;
  readonly level: Level;
  readonly modulePermission: readonly string[];
  /** How many hold it. */
  readonly users: number;
  /** Why one cannot change it. */
  readonly fixed: string | null;
}

/** One step of a decision. */
export interface Step {
  readonly kind: 'grant' | 'company' | 'row' | 'archive' | 'field' | 'guard';
  readonly outcome: 'passed' | 'failed' | 'notReached';
  readonly text: string;
  readonly condition?: string;
}

/** What `GET permissions/why` answers. */
export interface Why {
  readonly allowed: boolean;
  readonly reason: string;
  readonly grant: string | null;
  readonly steps: readonly Step[];
  readonly allowedFor: string | null;
  readonly user: {
    readonly id: number;
    readonly name: string;
    readonly role_id: number;
    readonly role_name: string;
    readonly level: number;
  };
  readonly record: { readonly id: number; readonly title: string } | null;
}

/** What is asked; names are those of the address. */
export interface Question {
  readonly user?: number;
  readonly module?: string;
  readonly action?: Action;
  readonly record?: number;
  readonly field?: string;
}

/** The roles with what they grant; read anew when a role or a user changes. */
export function useRoles(): UseQueryResult<Role[]> {
  return useFigures<Role[]>('/permissions', ['roles', 'users']);
}

/** Everything that can be granted. */
export function useModules(): UseQueryResult<ModulePermissions[]> {
  return useQuery({ queryKey: ['module-permissions'], queryFn: fetchModules, meta: { quiet: true } });
}

/** What a role is to grant, and what it granted as one saw it. */
export interface RoleChange {
  readonly role_id: number;
  readonly modulePermission: readonly string[];
  readonly before: readonly string[];
}

/** Saves what several roles grant: all of it or nothing. Throws ApiError. */
export async function saveRoles(roles: readonly RoleChange[]): Promise<void> {
  await fetchApi('/permissions', { method: 'PUT', json: { roles } });
}

/** Why somebody may do something, once it is asked in full; read anew when roles, users or the records change. */
export function useWhy(question: Question | undefined): UseQueryResult<Why> {
  return useQuery({
    queryKey: [['roles', 'users', question?.module].join(), 'why', question],
    queryFn: ({ signal }) => fetchWhy(question!, signal),
    enabled: question !== undefined && isWhole(question),
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
}

/** Whether a question says enough to be answered. */
export function isWhole({ user, module, action }: Question): boolean {
  return user !== undefined && module !== undefined && action !== undefined;
}

async function fetchWhy({ user, module, action, record, field }: Question, signal: AbortSignal): Promise<Why> {
  const query = new URLSearchParams({ user_id: String(user), module: module!, action: action! });
  if (record !== undefined) query.set('id', String(record));
  if (field !== undefined) query.set('field', field);
  return (await fetchApi<{ data: Why }>(`/permissions/why?${query}`, { signal })).data;
}
