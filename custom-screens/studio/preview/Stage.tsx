import { CoreAdminContext, memoryStore } from 'react-admin';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import {
  MemoryRouter,
  UNSAFE_LocationContext as LocationContext,
  UNSAFE_RouteContext as RouteContext,
} from 'react-router';
import { DefinitionsContext } from '../../../src/app/admin/DefinitionsContext';
import { useMe } from '../../../src/app/admin/DefinitionsProvider';
import { Dialogs } from '../../../src/app/admin/Dialogs';
import type { SignedIn } from '../../../src/app/admin/definitionsCalls';
import { i18nProvider } from '../../../src/app/admin/messages';
import { makeQueryClient } from '../../../src/app/admin/queryClient';
import { GuardsContext } from '../../../src/app/form/LeaveGuards';
import { PageProvider } from '../../../src/app/layout/page';
import { AskContext } from '../../../src/app/session/ask';
import type { PreviewServer } from './server';
import type { World } from './world';

const noRoute = { outlet: null, matches: [], isDataRoute: false };

interface StageProps {
  world: World;
  server: PreviewServer;
  children: ReactNode;
}

/** An isolated application for the preview: its own router, query cache, data provider and actor. */
export function Stage({ world, server, children }: StageProps) {
  const me = useMe();
  const [queryClient] = useState(() => {
    const client = makeQueryClient(() => {});
    client.setQueryDefaults(['me'], { enabled: false });
    client.setQueryData(['me'], me);
    return client;
  });
  const [store] = useState(() => memoryStore());
  const [guards] = useState(() => new Set<() => boolean>());
  const { registry, actor } = world;
  const [definitions, setDefinitions] = useState({ registry, actor: actor as SignedIn });
  if (definitions.registry !== registry || definitions.actor !== actor)
    setDefinitions({ registry, actor: actor as SignedIn });
  const answeredFor = useRef(world);
  useEffect(() => {
    if (answeredFor.current === world) return;
    answeredFor.current = world;
    server.show(world);
    // The preview server responds from loaded records: nothing is fetched.
    void queryClient.invalidateQueries({ queryKey: [world.definition.name] });
  }, [queryClient, server, world]);
  return (
    <LocationContext value={null as never}>
      <RouteContext value={noRoute}>
        <MemoryRouter>
          <CoreAdminContext
            dataProvider={server.dataProvider}
            i18nProvider={i18nProvider}
            queryClient={queryClient}
            store={store}
          >
            <DefinitionsContext value={definitions}>
              <AskContext value={server.ask}>
                <GuardsContext value={guards}>
                  <PageProvider>
                    <Dialogs>{children}</Dialogs>
                  </PageProvider>
                </GuardsContext>
              </AskContext>
            </DefinitionsContext>
          </CoreAdminContext>
        </MemoryRouter>
      </RouteContext>
    </LocationContext>
  );
}
