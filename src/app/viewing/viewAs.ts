import type { Me } from '../data/definitionsApi';
import { fetchApi } from '../session/api';
import { confirmLeave } from '../session/leaveGuard';
import { navigate } from '../session/navigation';
import { saveViewing, readViewing, clearViewing as stop, viewAsHeader } from '../session/viewedUser';

/** Whom to view as: a user, or a role, which administrators of the installation view within a company. */
export type ViewAsTarget = { user: number } | { role: number; site?: number } | { as: string };

/**
 * Starts viewing as somebody, in this tab, read-only. Asks about unsaved changes first. Stays on the screen if they may
 * see it too, else goes to the home page. Throws ApiError with a message for the user if it is not allowed.
 */
export async function startViewing(target: ViewAsTarget): Promise<void> {
  const viewAs = headerOf(target);
  const { data } = await fetchApi<{ data: Me }>('/view-as', { headers: { [viewAsHeader]: viewAs } });
  if (!(await confirmLeave())) return;
  const [, first = '', ...rest] = window.location.pathname.split('/');
  const keepsPath = rest.length === 0 && data.permissions[first]?.includes('list');
  // The path first: the screens remount there.
  if (!keepsPath) navigate('/');
  saveViewing({ as: viewAs, name: data.user.name, role: data.role.role_name, level: data.role.level });
}

/** Stops viewing as somebody else, on the same screen. */
export async function stopViewing(): Promise<void> {
  if (!(await confirmLeave())) return;
  const viewState = readViewing();
  stop();
  // Only for the security log: if it fails, just that entry is missing.
  if (viewState)
    fetchApi(`/view-as?as=${encodeURIComponent(viewState.as)}`, { method: 'DELETE' }).catch(() => undefined);
}

function headerOf(target: ViewAsTarget): string {
  if ('as' in target) return target.as;
  if ('user' in target) return `user ${target.user}`;
  return `role ${target.role}${target.site === undefined ? '' : ` site ${target.site}`}`;
}
