import Button from '@mui/material/Button';
import { useState } from 'react';
import { Icon } from '../icons/Icon';
import { ColumnsPopover } from './ColumnsPopover';
import type { ColumnsProps } from './columnsProps';
import * as styles from './list.module.css';

/** Opens the chooser of columns. */
export function ColumnsButton(props: ColumnsProps) {
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
      <ColumnsPopover {...props} anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}
