import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { OpenDialogContext, type OpenedDialog } from '../dialogs/openDialog';

const FormDialog = lazy(() => import('../form/ResourceFormDialog').then((room) => ({ default: room.ResourceFormDialog }))); // prettier-ignore
const RequestDialog = lazy(() => import('../requests/RequestDialog').then((room) => ({ default: room.RequestDialog })));
const PageDialog = lazy(() => import('../requests/PageDialog').then((room) => ({ default: room.PageDialog })));

interface Entry {
  key: number;
  dialog: OpenedDialog;
}

let last = 0;

/** Shows what `useOpenDialog` opens below it, the latest on top. Going back in the browser shuts them all. */
export function Dialogs({ children }: { children: ReactNode }) {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [open] = useState(() => (dialog: OpenedDialog) => setEntries((all) => [...all, { key: (last += 1), dialog }]));
  const { key: place } = useLocation();
  const isPop = useNavigationType() === 'POP';
  useEffect(() => {
    if (isPop) setEntries([]);
  }, [isPop, place]);
  const close = (key: number) => setEntries((all) => all.filter((entry) => entry.key !== key));
  return (
    <OpenDialogContext value={open}>
      {children}
      <Suspense>
        {entries.map(({ key, dialog }) => (
          <Shown key={key} dialog={dialog} onClose={() => close(key)} />
        ))}
      </Suspense>
    </OpenDialogContext>
  );
}

function Shown({ dialog, onClose }: { dialog: OpenedDialog; onClose: () => void }) {
  if (dialog.kind === 'request') return <RequestDialog {...dialog} onClose={onClose} />;
  if (dialog.kind === 'page') return <PageDialog {...dialog} onClose={onClose} />;
  return <FormDialog {...dialog} onClose={onClose} />;
}
