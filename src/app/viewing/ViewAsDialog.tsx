import Dialog from '@mui/material/Dialog';
import { useId, useState } from 'react';
import { useNotify } from 'react-admin';
import { productTitle } from '../brand/productTitle';
import { TabBar, tabPanel, type Tab } from '../layout/TabBar';
import { ViewAsList, type ViewAsChoice, type ViewAsKind } from './ViewAsList';
import { startViewing } from './viewAs';
import * as styles from './viewing.module.css';

interface ViewAsDialogProps {
  open: boolean;
  /** Whether there are several companies, which are then shown. */
  companies: boolean;
  onClose: () => void;
}

/** Chooses a person or role to view the program as. */
export function ViewAsDialog({ open, onClose, companies }: ViewAsDialogProps) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} slotProps={{ paper: { className: styles.viewAs, 'aria-labelledby': id } }}>
      <header>
        <h2 id={id}>View as</h2>
        <p>See {productTitle()} as another user does: read-only, and never more than you can see yourself.</p>
      </header>
      {open && <ViewAsPicker companies={companies} onClose={onClose} />}
    </Dialog>
  );
}

const kinds: readonly Tab<ViewAsKind>[] = [
  { name: 'person', label: 'People' },
  { name: 'role', label: 'Roles' },
];

function ViewAsPicker({ companies, onClose }: Omit<ViewAsDialogProps, 'open'>) {
  const notify = useNotify();
  const [kind, setKind] = useState<ViewAsKind>('person');
  const start = async ({ as: viewAs }: ViewAsChoice) => {
    onClose();
    await startViewing({ as: viewAs }).catch((error: Error) => notify(error.message, { type: 'error' }));
  };
  return (
    <>
      <TabBar
        className={styles.viewAsTabs}
        id="view-as"
        label="View as"
        tabs={kinds}
        chosenTab={kind}
        onChoose={setKind}
      />
      <div className={styles.viewAsPanel} {...tabPanel('view-as', kind)}>
        <ViewAsList key={kind} kind={kind} companies={companies} onChoose={(choice) => void start(choice)} />
      </div>
    </>
  );
}
