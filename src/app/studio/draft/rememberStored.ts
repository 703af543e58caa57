import type { QueryClient } from '@tanstack/react-query';
import type { ModuleDraft, WholeModuleDraft } from '../../../engine/studio/module-draft';
import { draftKeys } from './draftApi';

/**
 * Puts what the server has just stored of a user's draft (null: it has none any more) where it would be fetched to, so
 * that nothing is fetched. An answer that is still on its way may be older: that one is asked for again.
 */
export function rememberStored(
  queryClient: QueryClient,
  { name, user }: { readonly name: string; readonly user: number },
  storedDraft: WholeModuleDraft | null,
): void {
  const put = <T>(queryKey: readonly unknown[], change: (known: T) => T): void => {
    const query = { queryKey, exact: true };
    // A first answer, which nothing replaces yet, would not be asked for again while it is on its way.
    if (queryClient.isFetching(query) > 0)
      void queryClient.cancelQueries(query).then(() => queryClient.invalidateQueries(query));
    else
      queryClient.setQueryData<T>(queryKey, (cachedValue) =>
        cachedValue === undefined ? undefined : change(cachedValue),
      );
  };
  put<WholeModuleDraft | null>(draftKeys.own(name), () => storedDraft);
  put<readonly ModuleDraft[]>(draftKeys.all, (drafts) => [
    ...(storedDraft ? [storedDraft] : []),
    ...drafts.filter((draft) => draft.name !== name || draft.user.id !== user),
  ]);
}
