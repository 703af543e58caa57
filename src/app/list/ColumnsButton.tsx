import Button from '@mui/material/Button';
import { useState } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { Icon } from '../icons/Icon';
import { ColumnsPopover } from './ColumnsPopover';
import * as styles from './list.module.css';

/** Opens the chooser of columns. */
export function ColumnsButton({ definition }: { definition: Definition }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        variant="outlined"
        title="Columns"
        startIcon={<Icon name="columns" />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span className={styles.listLabel}>Columns</span>
      </Button>
      <ColumnsPopover definition={definition} anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}
