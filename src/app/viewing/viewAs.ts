import type { Me } from '../admin/definitionsCalls';
import { fetchApi } from '../session/api';
import { mayLeave } from '../session/leaving';
import { navigate } from '../session/navigation';
import { keepViewing, readViewing, stopViewing as stop, viewAsHeader } from '../session/viewing';

/** Somebody to view as: a user or a role, which an administrator of the installation looks at in a company. */
export type Whom = { user: number } | { role: number; site?: number } | { as: string };

const home = '/dashboard';

/**
 * Sees the program as somebody from now on, in this tab, read only. What is not saved is asked for first. Stays where
 * they may be too, and goes to the dashboard otherwise. Throws ApiError, in words, where one may not.
 */
export async function startViewing(whom: Whom): Promise<void> {
  const as = headerOf(whom);
  const { data } = await fetchApi<{ data: Me }>('/view-as', { headers: { [viewAsHeader]: as } });
  if (!(await mayLeave())) return;
  const [, first = '', ...rest] = window.location.pathname.split('/');
  const stays = rest.length === 0 && data.permissions[first]?.includes('list');
  // The path first: the screens are made anew where they are to be shown.
  if (!stays) navigate(home);
  keepViewing({ as, name: data.user.name, role: data.role.role_name, level: data.role.level });
}

/** Sees the program as oneself again, on the same screen. */
export async function stopViewing(): Promise<void> {
  if (!(await mayLeave())) return;
  const viewing = readViewing();
  stop();
  // For the security log alone: where it does not arrive, nothing is lost but its line.
  if (viewing) fetchApi(`/view-as?as=${encodeURIComponent(viewing.as)}`, { method: 'DELETE' }).catch(() => undefined);
}

function headerOf(whom: Whom): string {
  if ('as' in whom) return whom.as;
  if ('user' in whom) return `user ${whom.user}`;
  return `role ${whom.role}${whom.site === undefined ? '' : ` site ${whom.site}`}`;
}
