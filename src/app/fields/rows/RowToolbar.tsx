import IconButton from '@mui/material/IconButton';
import { Icon } from '../../icons/Icon';
import type { IconName } from '../../icons/icons';
import * as styles from './rows.module.css';

interface RowToolbarProps {
  /** The row with the focused cell; undefined: none. */
  row: number | undefined;
  last: number;
  isFull: boolean;
  canUndo: boolean;
  canRedo: boolean;
  onUndo: () => void;
  onRedo: () => void;
  onMove: (from: number, to: number) => void;
  onCopy: (row: number) => void;
  onRemove: (row: number) => void;
}

/** One toolbar for all rows: what it does concerns the row with the focused cell, which keeps the focus. */
export function RowToolbar({ row = -1, last, isFull, canUndo, canRedo, ...act }: RowToolbarProps) {
  const none = row < 0;
  return (
    <div className={styles.rowToolbar} role="toolbar" aria-label="Row">
      <Tool icon="arrow-up" label="Move up" keys="Alt ↑" off={row <= 0} onUse={() => act.onMove(row, row - 1)} />
      <Tool
        icon="arrow-down"
        label="Move down"
        keys="Alt ↓"
        off={none || row >= last}
        onUse={() => act.onMove(row, row + 1)}
      />
      <Tool icon="copy" label="Copy row" keys="Ctrl D" off={none || isFull} onUse={() => act.onCopy(row)} />
      <Tool icon="trash" label="Remove row" off={none} onUse={() => act.onRemove(row)} />
      <i />
      <Tool icon="undo" label="Undo" keys="Ctrl Z" off={!canUndo} onUse={act.onUndo} />
      <Tool icon="undo" label="Redo" keys="Ctrl Y" off={!canRedo} onUse={act.onRedo} isMirrored />
    </div>
  );
}

interface ToolProps {
  icon: IconName;
  label: string;
  keys?: string;
  off: boolean;
  isMirrored?: boolean;
  onUse: () => void;
}

function Tool({ icon, label, keys, off, onUse, isMirrored }: ToolProps) {
  return (
    <IconButton
      size="small"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      disabled={off}
      data-mirrored={isMirrored}
      // The cell keeps the focus, so that typing goes on.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onUse}
    >
      <Icon name={icon} size={16} />
    </IconButton>
  );
}
