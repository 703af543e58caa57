import { useQuery, useQueryClient } from '@tanstack/react-query';
import { use, useMemo, useState, type ReactNode } from 'react';
import { FrameSkeleton } from '../brand/FrameSkeleton';
import { FailedState } from '../states/FailedState';
import { actorOf, createDefinitionsFetcher, fetchMe, fetchViewedUser, type Me } from './definitionsApi';
import { useViewing } from '../session/viewedUser';
import { DefinitionsContext, MeContext } from './DefinitionsContext';
import { useLiveUpdates } from './useLiveUpdates';
import * as styles from '../brand/brand.module.css';

const meKey = ['me'];
const viewedUserKey = ['viewed'];
const definitionsKey = ['definitions'];

/** Loads the signed-in user and the definitions, and keeps both up to date while the application is open. */
export function DefinitionsProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [fetchDefinitions] = useState(createDefinitionsFetcher);
  const me = useQuery({ queryKey: meKey, queryFn: fetchMe, staleTime: 60_000, meta: { quiet: true } });
  // The screens remount when the viewed user changes, so this is constant for their lifetime.
  const isViewing = useViewing() !== null;
  const viewedUser = useQuery({
    queryKey: viewedUserKey,
    queryFn: fetchViewedUser,
    staleTime: 60_000,
    enabled: isViewing,
    meta: { quiet: true },
  });
  const definitions = useQuery({
    queryKey: definitionsKey,
    queryFn: fetchDefinitions,
    staleTime: 60_000,
    structuralSharing: false,
    meta: { quiet: true },
  });
  useLiveUpdates(queryClient, definitions.data, () => {
    void queryClient.invalidateQueries({ queryKey: definitionsKey });
    void queryClient.invalidateQueries({ queryKey: meKey });
    void queryClient.invalidateQueries({ queryKey: viewedUserKey });
  });

  const value = useMemo(() => {
    if (!me.data || !definitions.data) return null;
    if (!isViewing) return { registry: definitions.data, actor: actorOf(me.data) };
    return viewedUser.data ? { registry: definitions.data, actor: actorOf(viewedUser.data, me.data) } : null;
  }, [me.data, definitions.data, viewedUser.data, isViewing]);
  if (value)
    return (
      <MeContext value={me.data}>
        <DefinitionsContext value={value}>{children}</DefinitionsContext>
      </MeContext>
    );
  const error = me.error ?? viewedUser.error ?? definitions.error;
  if (!error) return <FrameSkeleton />;
  const retry = () => Promise.all([me.refetch(), definitions.refetch(), isViewing && viewedUser.refetch()]);
  return (
    <main className={styles.splash}>
      <FailedState title="The application could not be loaded" message={error.message} onRetry={() => void retry()} />
    </main>
  );
}

/**
 * The signed-in user, with company and counts. Needs a DefinitionsProvider above.
 *
 * @example const name = useMe()?.user.name;
 */
export function useMe(): Me | undefined {
  return use(MeContext);
}

/**
 * The user being viewed as, with company and counts; the signed-in user if nobody is viewed as.
 *
 * @example const name = useViewedUser()?.user.name;
 */
export function useViewedUser(): Me | undefined {
  const isViewing = useViewing() !== null;
  const viewedUser = useQuery({
    queryKey: viewedUserKey,
    queryFn: fetchViewedUser,
    staleTime: 60_000,
    enabled: isViewing,
    meta: { quiet: true },
  }).data;
  const me = useMe();
  return isViewing ? viewedUser : me;
}
