import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import { Suspense, useState } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { Icon } from '../icons/Icon';
import { lazyPart } from '../states/lazyPart';

const ColumnChooser = lazyPart(() => import('./ColumnChooser').then((room) => ({ default: room.ColumnChooser })));

/** Opens the chooser of columns. */
export function ColumnsButton({ definition }: { definition: Definition }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <Button
        variant="outlined"
        startIcon={<Icon name="columns" />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Columns
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        className="below"
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': 'Columns', className: 'columns' } }}
      >
        <Suspense fallback={<div className="columns-wait" />}>
          <ColumnChooser definition={definition} onClose={close} />
        </Suspense>
      </Popover>
    </>
  );
}
