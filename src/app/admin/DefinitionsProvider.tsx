import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { Splash } from '../brand/Splash';
import { FailedState } from '../states/FailedState';
import { actorOf, definitionsFetcher, fetchMe, type Me } from './definitionsCalls';
import { DefinitionsContext } from './DefinitionsContext';
import { useLive } from './useLive';

const meKey = ['me'];
const definitionsKey = ['definitions'];

/** Loads who is signed in and the definitions, and follows the changes of both while the application is open. */
export function DefinitionsProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [fetchDefinitions] = useState(definitionsFetcher);
  const me = useQuery({ queryKey: meKey, queryFn: fetchMe, staleTime: 60_000, meta: { quiet: true } });
  const definitions = useQuery({
    queryKey: definitionsKey,
    queryFn: fetchDefinitions,
    staleTime: 60_000,
    structuralSharing: false,
    meta: { quiet: true },
  });
  useLive(queryClient, definitions.data, () => {
    void queryClient.invalidateQueries({ queryKey: definitionsKey });
    void queryClient.invalidateQueries({ queryKey: meKey });
  });

  const value = useMemo(
    () => (me.data && definitions.data ? { registry: definitions.data, actor: actorOf(me.data) } : null),
    [me.data, definitions.data],
  );
  if (value) return <DefinitionsContext value={value}>{children}</DefinitionsContext>;
  const error = me.error ?? definitions.error;
  if (!error) return <Splash />;
  const retry = () => Promise.all([me.refetch(), definitions.refetch()]);
  return (
    <main className="splash">
      <FailedState title="The application could not be loaded" message={error.message} onRetry={() => void retry()} />
    </main>
  );
}

/** Who is signed in, with what the server says about their company and counts. Below a DefinitionsProvider. */
export function useMe(): Me | undefined {
  return useQuery({ queryKey: meKey, queryFn: fetchMe, staleTime: 60_000, meta: { quiet: true } }).data;
}
