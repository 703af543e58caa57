import { keepPreviousData, skipToken, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useFigures } from '../../charts/useFigures';
import { fetchModules, type ModulePermissions, groupModules } from '../../fields/permissions/modulePermissions';
import { fetchApi } from '../../session/api';
import type { RoleHolder } from '../../../engine/access/audience';
import type { Action, Level, Definition } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';

/** A row of the matrix. */
export interface MatrixModule {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  /** Undefined if the browser has not got the definition; its rules are unknown then. */
  readonly definition?: Definition;
}

/** The definitions themselves: they cannot be granted, only level 1 has them. */
export const studioModule: MatrixModule = { name: 'modules', label: 'Modules', icon: 'sliders' };
/** The studio comes after the modules of this group. */
const studioGroup = 'Product';
/** Icons of modules that are neither in the menu nor added by a request. */
const icons: Readonly<Record<string, string>> = { imports: 'upload' };
const defaultIcon = 'table';

/** The rows of the matrix, in the groups and the order of the menu. */
export function matrixModules(permissions: readonly ModulePermissions[], registry: Registry): MatrixModule[] {
  return groupModules(permissions, registry).flatMap(({ label, modules }) => {
    const lines = modules.map(({ module, label: name }): MatrixModule => {
      const definition = registry.get(module);
      const icon = definition?.menu?.icon ?? requestIcon(module, registry) ?? icons[module] ?? defaultIcon;
      return { name: module, label: name, icon, definition };
    });
    return label === studioGroup ? [...lines, studioModule] : lines;
  });
}

/** The icon of the request that adds records of a module, such as comments. */
function requestIcon(module: string, registry: Registry): string | undefined {
  const requests = [...registry.definitions.values()].flatMap((definition) => Object.values(definition.requests));
  return requests.find(({ adds: addedRecord }) => addedRecord?.resource === module)?.icon;
}

/** The modules whose labels contain the text. */
export function filterModules(modules: readonly MatrixModule[], text: string): MatrixModule[] {
  const searchText = text.trim().toLowerCase();
  return modules.filter(({ label }) => label.toLowerCase().includes(searchText));
}

/** A role with its grants, as `GET permissions` returns it. */
export interface Role {
  readonly role_id: number;
  readonly role_name: string;
  /** Rules name the role by it. */
  readonly key: string;
  readonly level: Level;
  readonly modulePermission: readonly string[];
  /** The number of users who hold it. */
  readonly users: number;
  /** Why the user cannot change it; null if they can. */
  readonly fixed: string | null;
}

/** The role as rules know it. */
export function roleHolder({ level, key }: Role): RoleHolder {
  return { level, role: key };
}

/** One step of a decision. */
export interface Step {
  readonly kind: 'grant' | 'company' | 'row' | 'archive' | 'field' | 'transition' | 'guard';
  readonly outcome: 'passed' | 'failed' | 'notReached';
  readonly text: string;
  readonly condition?: string;
}

/** The response of `GET permissions/why`. */
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

/** The question; its keys are those of the address. */
export interface Question {
  readonly user?: number;
  /** Instead of a user: a service account. */
  readonly service?: number;
  readonly module?: string;
  readonly action?: Action;
  readonly record?: number;
  readonly field?: string;
}

/** The roles with their grants; reloads when a role or a user changes. */
export function useRoles(): UseQueryResult<Role[]> {
  return useFigures<Role[]>('/permissions', ['roles', 'users']);
}

/** All modules and actions that can be granted. */
export function usePermissionModules(): UseQueryResult<ModulePermissions[]> {
  return useQuery({ queryKey: ['module-permissions'], queryFn: fetchModules, meta: { quiet: true } });
}

/** A role's new grants, and those that the change is based on. */
export interface RoleChange {
  readonly role_id: number;
  readonly modulePermission: readonly string[];
  readonly before: readonly string[];
}

/** Saves the grants of several roles in one transaction. Throws ApiError. */
export async function saveRoles(roles: readonly RoleChange[]): Promise<void> {
  await fetchApi('/permissions', { method: 'PUT', json: { roles } });
}

/** Why an action is allowed or denied, once the question is complete; reloads when roles, users or the records change. */
export function useWhy(question: Question | undefined): UseQueryResult<Why> {
  return useQuery({
    queryKey: [['roles', 'users', 'service-accounts', question?.module].join(), 'why', question],
    queryFn: question && isComplete(question) ? ({ signal }) => fetchWhy(question, signal) : skipToken,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
}

type CompleteQuestion = Question & Required<Pick<Question, 'module' | 'action'>>;

/** Whether a question is complete. */
export function isComplete(question: Question): question is CompleteQuestion {
  const { user, service, module, action } = question;
  return (user ?? service) !== undefined && module !== undefined && action !== undefined;
}

async function fetchWhy(question: CompleteQuestion, signal: AbortSignal): Promise<Why> {
  const { user, service, module, action, record, field } = question;
  const query = new URLSearchParams({ module, action });
  if (service === undefined) query.set('user_id', String(user));
  else query.set('service_account_id', String(service));
  if (record !== undefined) query.set('id', String(record));
  if (field !== undefined) query.set('field', field);
  return (await fetchApi<{ data: Why }>(`/permissions/why?${query}`, { signal })).data;
}
