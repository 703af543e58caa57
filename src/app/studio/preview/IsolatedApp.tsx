import type { Query } from '@tanstack/react-query';
import { CoreAdminContext, memoryStore, type AuthProvider } from 'react-admin';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import {
  MemoryRouter,
  UNSAFE_LocationContext as LocationContext,
  UNSAFE_RouteContext as RouteContext,
} from 'react-router-dom';
import { DefinitionsContext } from '../../data/DefinitionsContext';
import { useMe } from '../../data/DefinitionsProvider';
import { ResourcesProvider } from '../../data/ResourcesProvider';
import { Dialogs } from '../../record/Dialogs';
import { useMessages } from '../../data/messages';
import { createQueryClient } from '../../data/queryClient';
import { UnsavedChecksContext, type UnsavedChecks } from '../../form/UnsavedChangesProvider';
import { PageProvider } from '../../layout/page';
import { ApiClientContext } from '../../session/apiClient';
import type { PreviewServer } from './previewServer';
import { isShowableIn, type PreviewWorld } from './previewWorld';

const noRoute = { outlet: null, matches: [], isDataRoute: false };

/** Nothing in a preview ends the session around it. */
const noSession: AuthProvider = {
  login: () => Promise.resolve(),
  logout: () => Promise.resolve(false),
  checkAuth: () => Promise.resolve(),
  checkError: () => Promise.resolve(),
};

interface IsolatedAppProps {
  world: PreviewWorld;
  server: PreviewServer;
  children: ReactNode;
}

/** An isolated application for the preview: its own router, query cache, data provider and actor. */
export function IsolatedApp({ world, server, children }: IsolatedAppProps) {
  const me = useMe();
  const [queryClient] = useState(() => {
    const client = createQueryClient(() => {});
    client.setQueryDefaults(['me'], { enabled: false });
    client.setQueryData(['me'], me);
    return client;
  });
  const [store] = useState(() => memoryStore());
  const [checks] = useState<UnsavedChecks>(() => ({ checks: new Set(), update: () => {} }));
  const { registry, actor } = world;
  const [definitions, setDefinitions] = useState({ registry, actor });
  if (definitions.registry !== registry || definitions.actor !== actor) setDefinitions({ registry, actor });
  // Before the effects of its parts, which load what they show.
  useLayoutEffect(() => server.update(world), [server, world]);
  const shownWorld = useRef(world);
  useEffect(() => {
    const worldBefore = shownWorld.current;
    shownWorld.current = world;
    const records = { predicate: ({ queryKey }: Query) => queryKey[0] !== 'me' };
    if (!isShowableIn(worldBefore, world)) void queryClient.resetQueries(records);
    else if (worldBefore.content !== world.content) void queryClient.invalidateQueries(records);
  }, [queryClient, world]);
  return (
    <LocationContext value={null as never}>
      <RouteContext value={noRoute}>
        <MemoryRouter>
          <CoreAdminContext
            dataProvider={server.dataProvider}
            authProvider={noSession}
            i18nProvider={useMessages()}
            queryClient={queryClient}
            store={store}
          >
            <DefinitionsContext value={definitions}>
              <ApiClientContext value={server.ask}>
                <UnsavedChecksContext value={checks}>
                  <ResourcesProvider>
                    <PageProvider>
                      <Dialogs>{children}</Dialogs>
                    </PageProvider>
                  </ResourcesProvider>
                </UnsavedChecksContext>
              </ApiClientContext>
            </DefinitionsContext>
          </CoreAdminContext>
        </MemoryRouter>
      </RouteContext>
    </LocationContext>
  );
}
