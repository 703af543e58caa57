import type { QueryClient } from '@tanstack/react-query';

/**
 * Invalidates what a saved record may have changed: its lists, choices that offer it, and the counts of the current
 * user.
 *
 * @example await refreshAfterSaving(queryClient, 'tasks');
 */
export async function refreshAfterSaving(queryClient: QueryClient, resource: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [resource] }),
    queryClient.invalidateQueries({ queryKey: ['choices'] }),
    queryClient.invalidateQueries({ queryKey: ['me'] }),
  ]);
}
