import Popover from '@mui/material/Popover';
import { lazyComponent, LoadingFallback } from '../states/lazyComponent';
import type { ColumnsProps } from './columnsProps';
import * as styles from './list.module.css';

const ColumnChooser = lazyComponent(() => import('./ColumnChooser').then((part) => ({ default: part.ColumnChooser })));

interface ColumnsPopoverProps extends ColumnsProps {
  /** The anchor element; null: closed. */
  anchor: HTMLElement | null;
  onClose: () => void;
}

/** The chooser of columns, below what opened it. */
export function ColumnsPopover({ anchor, onClose, ...props }: ColumnsPopoverProps) {
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
        <ColumnChooser {...props} onClose={onClose} />
      </LoadingFallback>
    </Popover>
  );
}
