import type { Me } from '../admin/definitionsCalls';
import { fetchApi } from '../session/api';
import { mayLeave } from '../session/leaving';
import { navigate } from '../session/navigation';
import { keepViewing, readViewing, stopViewing as stop, viewAsHeader } from '../session/viewing';

/** Whom to view as: a user, or a role, which administrators of the installation view within a company. */
export type Whom = { user: number } | { role: number; site?: number } | { as: string };

const home = '/dashboard';

/**
 * Starts viewing as somebody, in this tab, read-only. Asks about unsaved changes first. Stays on the screen if they may
 * see it too, else goes to the dashboard. Throws ApiError with a message for the user if it is not allowed.
 */
export async function startViewing(whom: Whom): Promise<void> {
  const as = headerOf(whom);
  const { data } = await fetchApi<{ data: Me }>('/view-as', { headers: { [viewAsHeader]: as } });
  if (!(await mayLeave())) return;
  const [, first = '', ...rest] = window.location.pathname.split('/');
  const stays = rest.length === 0 && data.permissions[first]?.includes('list');
  // The path first: the screens remount there.
  if (!stays) navigate(home);
  keepViewing({ as, name: data.user.name, role: data.role.role_name, level: data.role.level });
}

/** Stops viewing as somebody else, on the same screen. */
export async function stopViewing(): Promise<void> {
  if (!(await mayLeave())) return;
  const viewing = readViewing();
  stop();
  // Only for the security log: if it fails, just that entry is missing.
  if (viewing) fetchApi(`/view-as?as=${encodeURIComponent(viewing.as)}`, { method: 'DELETE' }).catch(() => undefined);
}

function headerOf(whom: Whom): string {
  if ('as' in whom) return whom.as;
  if ('user' in whom) return `user ${whom.user}`;
  return `role ${whom.role}${whom.site === undefined ? '' : ` site ${whom.site}`}`;
}
