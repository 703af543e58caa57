import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStreamName } from '../admin/streamName';
import { fetchApi } from '../session/api';

/** Somebody at a record. */
interface Present {
  readonly record_id: number;
  readonly user: { readonly id: number; readonly name: string };
}

/** A quick look at a record is no presence. */
const settleDelay = 300;
/** The server forgets who was not heard of for a minute. */
const repeatDelay = 25_000;
const nobody: readonly Present[] = [];

/**
 * Says at which record of a resource the user is now, and who else is at which. It ends when the screen is left, the
 * window is closed or its connection is lost. `id` is undefined while they are at none.
 *
 * @example const others = usePresence('tasks', 7); // others.filter(({ record_id }) => record_id === 7)
 */
export function usePresence(resource: string, id: number | undefined): readonly Present[] {
  const stream = useStreamName();
  useEffect(() => {
    if (stream === undefined || id === undefined) return;
    const control = new AbortController();
    const enter = () =>
      void fetchApi('/presence', { method: 'PUT', json: { stream, resource, id }, signal: control.signal }).catch(
        // It is said again soon.
        () => undefined,
      );
    const settled = setTimeout(enter, settleDelay);
    const repeated = setInterval(enter, repeatDelay);
    return () => {
      control.abort();
      clearTimeout(settled);
      clearInterval(repeated);
    };
  }, [id, resource, stream]);
  const isSomewhere = id !== undefined;
  useEffect(() => {
    if (stream === undefined || !isSomewhere) return;
    return () => void fetchApi(`/presence/${stream}`, { method: 'DELETE' }).catch(() => undefined);
  }, [isSomewhere, stream]);
  const { data } = useQuery({
    queryKey: ['presence', resource],
    queryFn: async ({ signal }) =>
      (await fetchApi<{ data: readonly Present[] }>(`/presence?resource=${encodeURIComponent(resource)}`, { signal }))
        .data,
    // Who lost their connection goes without an event.
    refetchInterval: 30_000,
    retry: false,
    meta: { quiet: true },
  });
  return data ?? nobody;
}
