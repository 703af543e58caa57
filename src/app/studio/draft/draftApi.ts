import type { DraftContent, DraftRecipient, ModuleDraft, WholeModuleDraft } from '../../../engine/studio/module-draft';
import { fetchApi, requestApi, type ApiInit } from '../../session/api';

/** The API path, and the first part of every query key of drafts: the server's events about drafts invalidate them. */
const draftsKey = 'module-drafts';

/** Query keys of all drafts, of the user's own of a module, and of whom it can be handed to. */
export const draftKeys = {
  all: [draftsKey, 'all'] as const,
  own: (name: string) => [draftsKey, 'own', name] as const,
  of: (name: string, user: number, revision: number) => [draftsKey, 'of', name, user, revision] as const,
  recipients: (name: string) => [draftsKey, 'recipients', name] as const,
};

const draftPath = (name: string, rest = '') => `/${draftsKey}/${encodeURIComponent(name)}${rest}`;

async function fetchData<T>(path: string, init?: ApiInit): Promise<T> {
  return (await fetchApi<{ data: T }>(path, init)).data;
}

/** The drafts of all administrators, latest first. Throws ApiError. */
export function fetchDrafts(signal?: AbortSignal): Promise<ModuleDraft[]> {
  return fetchData(`/${draftsKey}`, { signal });
}

/** The user's own draft of a module, or that of another administrator; null if there is none. Throws ApiError. */
export function fetchDraft(name: string, signal?: AbortSignal, user?: number): Promise<WholeModuleDraft | null> {
  return fetchData(draftPath(name, user === undefined ? '' : `?user_id=${user}`), { signal });
}

/**
 * Stores the user's draft. A window that uses the answer names its event stream: it receives no event of this change.
 * Throws ApiError: 409 if the stored one is of another revision.
 */
export function storeDraft(
  name: string,
  content: DraftContent,
  revision: number,
  stream?: string,
): Promise<ModuleDraft> {
  return fetchData(draftPath(name), { method: 'PUT', json: { ...content, revision, stream } });
}

/** Discards the user's draft; `stream` as with `storeDraft`. Throws ApiError: 409 if the stored one is of another revision. */
export async function discardStoredDraft(name: string, revision?: number, stream?: string): Promise<void> {
  const query = new URLSearchParams();
  if (revision !== undefined) query.set('revision', String(revision));
  if (stream !== undefined) query.set('stream', stream);
  await requestApi(draftPath(name, query.size > 0 ? `?${query}` : ''), { method: 'DELETE' });
}

/** The administrators whom the user's draft can be handed to. Throws ApiError. */
export function fetchRecipients(name: string, signal?: AbortSignal): Promise<DraftRecipient[]> {
  return fetchData(draftPath(name, '/recipients'), { signal });
}

/** Hands the user's draft over. Throws ApiError. */
export function handDraftOver(name: string, user_id: number, revision: number): Promise<ModuleDraft> {
  return fetchData(draftPath(name, '/hand-over'), { method: 'POST', json: { user_id, revision } });
}

/** Takes the draft of another administrator over. Throws ApiError. */
export function takeDraftOver({ name, user, revision }: ModuleDraft): Promise<ModuleDraft> {
  return fetchData(draftPath(name, '/take-over'), { method: 'POST', json: { user_id: user.id, revision } });
}
