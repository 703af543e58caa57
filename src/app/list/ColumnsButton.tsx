import Button from '@mui/material/Button';
import { useRef, useState } from 'react';
import { useCommands } from '../commands/commands';
import { Icon } from '../icons/Icon';
import { ColumnsPopover } from './ColumnsPopover';
import * as styles from './toolbar.module.css';

/** Opens the chooser of columns. */
export function ColumnsButton() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useCommands(() => [
    {
      ...{ id: 'columns', label: 'Choose columns', icon: 'columns', keys: 'c', opensInput: true },
      run: () => setAnchor(button.current),
    },
  ]);
  return (
    <>
      <Button
        ref={button}
        variant="outlined"
        title="Columns"
        startIcon={<Icon name="columns" />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <span className={styles.listLabel}>Columns</span>
      </Button>
      <ColumnsPopover anchor={anchor} onClose={() => setAnchor(null)} />
    </>
  );
}
