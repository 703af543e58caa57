import { CoreAdminContext, memoryStore } from 'react-admin';
import { useState } from 'react';
import { UnsavedChangesProvider } from '../form/UnsavedChangesProvider';
import { Toasts } from '../layout/Toasts';
import { ProofPrompt } from '../proof/ProofPrompt';
import { AppTheme } from '../theme/AppTheme';
import { AdminRoutes } from './AdminRoutes';
import { AdminShell } from './AdminShell';
import { authProvider } from './authProvider';
import type { Alias, CustomScreen } from './CustomScreen';
import { dataProvider } from './dataProvider';
import { Dialogs } from './Dialogs';
import { DefinitionsProvider } from './DefinitionsProvider';
import { ErrorToasts, reportError } from './ErrorToasts';
import { i18nProvider } from './messages';
import { createQueryClient } from './queryClient';
import { AppRouter } from './router';

export { preloadScreen } from './AdminRoutes';

const none: readonly never[] = [];

interface AdminAppProps {
  screens?: readonly CustomScreen[];
  aliases?: readonly Alias[];
}

/**
 * The application after sign-in. It knows no resource and no custom screen: resources come from the server, screens are
 * passed in.
 */
export default function AdminApp({ screens = none, aliases = none }: AdminAppProps) {
  return (
    <AppTheme>
      <AppRouter>
        <AdminContexts screens={screens} aliases={aliases} />
      </AppRouter>
    </AppTheme>
  );
}

function AdminContexts({ screens, aliases }: Required<AdminAppProps>) {
  const [queryClient] = useState(() => createQueryClient(reportError));
  const [store] = useState(() => memoryStore());
  return (
    <CoreAdminContext
      dataProvider={dataProvider}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      queryClient={queryClient}
      store={store}
    >
      <ErrorToasts />
      <DefinitionsProvider>
        <AdminShell screens={screens}>
          <UnsavedChangesProvider>
            <Dialogs>
              <AdminRoutes screens={screens} aliases={aliases} />
            </Dialogs>
          </UnsavedChangesProvider>
        </AdminShell>
      </DefinitionsProvider>
      <ProofPrompt />
      <Toasts />
    </CoreAdminContext>
  );
}
