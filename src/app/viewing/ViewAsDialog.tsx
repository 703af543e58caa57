import Dialog from '@mui/material/Dialog';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useId, useState } from 'react';
import { useNotify } from 'react-admin';
import type { Choice, Kind } from './choices';
import { ViewAsList } from './ViewAsList';
import { startViewing } from './viewAs';
import './viewing.css';

interface ViewAsDialogProps {
  open: boolean;
  /** Whether there are several companies, which are then named. */
  companies: boolean;
  onClose: () => void;
}

/** Chooses the person or the role as whom the program is to be seen. */
export function ViewAsDialog({ open, onClose, companies }: ViewAsDialogProps) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} slotProps={{ paper: { className: 'view-as', 'aria-labelledby': id } }}>
      <header>
        <h2 id={id}>View as</h2>
        <p>See Assay as somebody else does: read only, and never more than you may see yourself.</p>
      </header>
      {open && <Choosing companies={companies} onClose={onClose} />}
    </Dialog>
  );
}

function Choosing({ companies, onClose }: Omit<ViewAsDialogProps, 'open'>) {
  const notify = useNotify();
  const [kind, setKind] = useState<Kind>('person');
  const start = async ({ as }: Choice) => {
    onClose();
    await startViewing({ as }).catch((error: Error) => notify(error.message, { type: 'error' }));
  };
  return (
    <>
      <Tabs value={kind} aria-label="View as" onChange={(_, chosen: Kind) => setKind(chosen)}>
        <Tab value="person" label="People" />
        <Tab value="role" label="Roles" />
      </Tabs>
      <ViewAsList key={kind} kind={kind} companies={companies} onChoose={(choice) => void start(choice)} />
    </>
  );
}
