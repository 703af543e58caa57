import Popover from '@mui/material/Popover';
import type { Definition } from '../../engine/definitions/definition';
import { lazyComponent, LoadingFallback } from '../states/lazyComponent';
import * as styles from './list.module.css';

const ColumnChooser = lazyComponent(() => import('./ColumnChooser').then((part) => ({ default: part.ColumnChooser })));

interface ColumnsPopoverProps {
  definition: Definition;
  /** The anchor element; null: closed. */
  anchor: HTMLElement | null;
  onClose: () => void;
}

/** The chooser of columns, below what opened it. */
export function ColumnsPopover({ definition, anchor, onClose }: ColumnsPopoverProps) {
  return (
    <Popover
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
      className={styles.below}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': 'Columns', className: styles.columns } }}
    >
      <LoadingFallback fallback={<div className={styles.columnsWait} />}>
        <ColumnChooser definition={definition} onClose={onClose} />
      </LoadingFallback>
    </Popover>
  );
}
