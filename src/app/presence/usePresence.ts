import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStreamName } from '../data/streamName';
import { fetchApi } from '../session/api';
import { presenceKey } from '../data/presenceKey';

/** A user at a record. */
export interface Present {
  readonly record_id: number;
  readonly user: { readonly id: number; readonly name: string };
  /** They have changed something there that is not stored yet. */
  readonly editing: boolean;
}

interface PresenceOptions {
  /** The user has changed something at the record that is not stored yet. */
  editing?: boolean;
  /** Whether to ask for all records of the resource instead of this one. */
  isResourceWide?: boolean;
}

/** A quick look at a record is no presence. */
const settleDelay = 300;
/** The server forgets who was not heard of for a minute. */
const repeatDelay = 25_000;
const noUsers: readonly Present[] = [];

/**
 * Says at which record of a resource the user is now, and who else is there. It ends when the screen is left, the
 * window is closed or its connection is lost. `id` is undefined while they are at none.
 *
 * @example const others = usePresence('songs', 7, { editing: dirty });
 */
export function usePresence(
  resource: string,
  id: number | undefined,
  { editing = false, isResourceWide = false }: PresenceOptions = {},
): readonly Present[] {
  const stream = useStreamName();
  useEffect(() => {
    if (stream === undefined || id === undefined) return;
    const control = new AbortController();
    const enter = () =>
      void fetchApi('/presence', {
        method: 'PUT',
        json: { stream, resource, id, editing },
        signal: control.signal,
      }).catch(
        // It is said again soon.
        () => undefined,
      );
    const settleTimer = setTimeout(enter, settleDelay);
    const repeatTimer = setInterval(enter, repeatDelay);
    return () => {
      control.abort();
      clearTimeout(settleTimer);
      clearInterval(repeatTimer);
    };
  }, [editing, id, resource, stream]);
  const isSomewhere = id !== undefined;
  useEffect(() => {
    if (stream === undefined || !isSomewhere) return;
    return () => void fetchApi(`/presence/${stream}`, { method: 'DELETE' }).catch(() => undefined);
  }, [isSomewhere, stream]);
  const query = new URLSearchParams({ resource, ...(!isResourceWide && isSomewhere && { id: String(id) }) });
  const { data } = useQuery({
    queryKey: [presenceKey(isResourceWide ? resource : `${resource}/${id}`)],
    enabled: isResourceWide || isSomewhere,
    queryFn: async ({ signal }) =>
      (await fetchApi<{ data: readonly Present[] }>(`/presence?${query}`, { signal })).data,
    // Users who lost their connection leave without an event.
    refetchInterval: 30_000,
    retry: false,
    meta: { quiet: true, noSpinner: true },
  });
  return data ?? noUsers;
}
