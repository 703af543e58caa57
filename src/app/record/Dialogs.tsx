import { useEffect, useState, type ReactNode } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { hasFixedValues } from '../../engine/lists/fixed-requests';
import { useDefinitions } from '../data/DefinitionsContext';
import { OpenDialogContext, type OpenedDialog } from '../dialogs/openDialog';
import { lazyComponent } from '../states/lazyComponent';

const FormDialog = lazyComponent(() =>
  import('./ResourceFormDialog').then((module) => ({ default: module.ResourceFormDialog })),
);
const RequestDialog = lazyComponent(() =>
  import('./requests/RequestDialog').then((module) => ({ default: module.RequestDialog })),
);
const FixedRequestDialog = lazyComponent(() =>
  import('./requests/FixedRequestDialog').then((module) => ({ default: module.FixedRequestDialog })),
);
const QuestionDialog = lazyComponent(() =>
  import('./requests/QuestionDialog').then((module) => ({ default: module.QuestionDialog })),
);
const PageDialog = lazyComponent(() =>
  import('./requests/PageDialog').then((module) => ({ default: module.PageDialog })),
);
const RecordPalette = lazyComponent(() =>
  import('./RecordPalette').then((module) => ({ default: module.RecordPalette })),
);

interface Entry {
  key: number;
  dialog: OpenedDialog;
}

let lastKey = 0;

/**
 * Shows the dialogs that `useOpenDialog` opens below it, the latest on top. Going back in the browser closes all of
 * them.
 */
export function Dialogs({ children }: { children: ReactNode }) {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [open] = useState(
    () => (dialog: OpenedDialog) => setEntries((current) => [...current, { key: (lastKey += 1), dialog }]),
  );
  const { key: locationKey } = useLocation();
  const isPop = useNavigationType() === 'POP';
  useEffect(() => {
    if (isPop) setEntries([]);
  }, [isPop, locationKey]);
  const close = (key: number) => setEntries((current) => current.filter((entry) => entry.key !== key));
  return (
    <OpenDialogContext value={open}>
      {children}
      <>
        {entries.map(({ key, dialog }) => (
          <DialogContent key={key} dialog={dialog} onClose={() => close(key)} />
        ))}
      </>
    </OpenDialogContext>
  );
}

function DialogContent({ dialog, onClose }: { dialog: OpenedDialog; onClose: () => void }) {
  const { registry } = useDefinitions();
  if (dialog.kind === 'page') return <PageDialog {...dialog} onClose={onClose} />;
  if (dialog.kind === 'drawing') return dialog.draw(onClose);
  if (dialog.kind === 'question') return <QuestionDialog {...dialog} onClose={onClose} />;
  // An open dialog follows changes of its definition as long as the definition is active.
  const definition = registry.get(dialog.definition.name) ?? dialog.definition;
  if (dialog.kind === 'palette') return <RecordPalette {...dialog} {...{ definition, onClose }} onBack={onClose} />;
  if (dialog.kind === 'form') return <FormDialog {...dialog} definition={definition} onClose={onClose} />;
  const request = definition.requests[dialog.request.name] ?? dialog.request;
  if (hasFixedValues(request))
    return <FixedRequestDialog {...dialog} definition={definition} request={request} onClose={onClose} />;
  return <RequestDialog {...dialog} definition={definition} request={request} onClose={onClose} />;
}
