import { CoreAdminContext, memoryStore } from 'react-admin';
import { useMemo, useState, type ComponentType, useEffect, type ReactNode } from 'react';
import { UnsavedChangesProvider } from '../form/UnsavedChangesProvider';
import { Toasts } from '../layout/Toasts';
import { ProofPrompt } from '../proof/ProofPrompt';
import { systemAliases, systemScreens } from './systemScreens';
import { AppTheme } from '../theme/AppTheme';
import { AdminRoutes, preloadScreen } from './AdminRoutes';
import { AdminShell } from './AdminShell';
import { authProvider } from '../data/authProvider';
import type { Alias, CustomScreen } from '../product';
import { dataProvider } from '../data/dataProvider';
import { Dialogs } from '../record/Dialogs';
import { DefinitionsProvider } from '../data/DefinitionsProvider';
import { ErrorToasts, reportError } from '../data/ErrorToasts';
import { useMessages } from '../data/messages';
import { createQueryClient } from '../data/queryClient';
import { ResourcesProvider } from '../data/ResourcesProvider';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { FrameSkeleton } from '../brand/FrameSkeleton';

export { registerProductTypes } from '../fields/productTypes';
export { registerTabContents } from '../record/tabs/tabContents';
export { registerListViews } from '../list/productViews';

const noItems: readonly never[] = [];

interface AdminAppProps {
  /** The product's screens; those of the system are always there. */
  screens?: readonly CustomScreen[];
  aliases?: readonly Alias[];
  /** Shown above every screen. */
  bar?: ComponentType;
}

/** Starts to load the code of the screen at a path, of the system or of the product. */
export function preloadPath(path: string, screens: readonly CustomScreen[]): Promise<void> {
  return preloadScreen(path, [...systemScreens, ...screens]);
}

/**
 * The application after sign-in. It knows no resource and no screen of a product: resources come from the server, screens
 * are passed in.
 */
export default function AdminApp({ screens = noItems, aliases = noItems, bar }: AdminAppProps) {
  const allScreens = useMemo(() => [...systemScreens, ...screens], [screens]);
  const allAliases = useMemo(() => [...systemAliases, ...aliases], [aliases]);
  return (
    <AppTheme>
      <AppRouter>
        <AdminContexts screens={allScreens} aliases={allAliases} bar={bar} />
      </AppRouter>
    </AppTheme>
  );
}

function AdminContexts({ screens = noItems, aliases = noItems, bar: Bar }: AdminAppProps) {
  const [queryClient] = useState(() => createQueryClient(reportError));
  const [store] = useState(() => memoryStore());
  return (
    <CoreAdminContext
      dataProvider={dataProvider}
      authProvider={authProvider}
      i18nProvider={useMessages()}
      queryClient={queryClient}
      store={store}
    >
      <ErrorToasts />
      <DefinitionsProvider>
        <ResourcesProvider>
          <UnsavedChangesProvider>
            {/* Around the frame: its command palette opens dialogs too. */}
            <Dialogs>
              <AdminShell screens={screens}>
                {Bar && <Bar />}
                <AdminRoutes screens={screens} aliases={aliases} />
              </AdminShell>
            </Dialogs>
          </UnsavedChangesProvider>
        </ResourcesProvider>
      </DefinitionsProvider>
      <ProofPrompt />
      <Toasts />
    </CoreAdminContext>
  );
}

type Router = ReturnType<typeof createBrowserRouter>;

/**
 * The application's router with real paths. It wraps react-admin, whose own router kept the old page for seconds after
 * a redirect (`useTransitions={false}` fixes that). It is created and disposed with the session, so that it does not
 * listen while the pages before sign-in are shown.
 */
function AppRouter({ children }: { children: ReactNode }) {
  const [router, setRouter] = useState<Router | null>(null);
  const [element] = useState(children);
  useEffect(() => {
    const nextRouter = createBrowserRouter([{ path: '*', element }]);
    setRouter(nextRouter);
    return () => nextRouter.dispose();
  }, [element]);
  return router ? <RouterProvider router={router} useTransitions={false} /> : <FrameSkeleton />;
}
