import IconButton from '@mui/material/IconButton';
import { useRef, type ReactNode } from 'react';
import { Icon } from '../../icons/Icon';
import type { IconName } from '../../icons/icons';
import { useRovingFocus } from '../markdown/useRovingFocus';
import * as styles from './rows.module.css';

interface RowToolbarProps {
  /** The row with the focused cell; undefined: none. */
  row: number | undefined;
  last: number;
  canUndo: boolean;
  canRedo: boolean;
  onUndo: () => void;
  onRedo: () => void;
  onMove: (from: number, to: number) => void;
  /** Goes back to the cell. */
  onLeave: () => void;
  /** Tools for the text of the focused cell. */
  children?: ReactNode;
}

/**
 * One toolbar for all cells: what it does concerns the focused one, which keeps the focus. Tab passes it by:
 * Alt+F10 leads to it from a cell; the arrows go through it, Escape back.
 */
export function RowToolbar({ row = -1, last, canUndo, canRedo, children, ...act }: RowToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const rove = useRovingFocus(bar, true);
  return (
    <div
      ref={bar}
      className={styles.rowToolbar}
      role="toolbar"
      aria-label="Row"
      onKeyDown={(event) => {
        rove(event);
        if (event.key !== 'Escape' || !bar.current?.contains(event.target as Node)) return;
        event.stopPropagation();
        act.onLeave();
      }}
    >
      {children}
      {children && <i />}
      <Tool icon="arrow-up" label="Move up" keys="Alt ↑" isDisabled={row <= 0} onUse={() => act.onMove(row, row - 1)} />
      <Tool
        icon="arrow-down"
        label="Move down"
        keys="Alt ↓"
        isDisabled={row < 0 || row >= last}
        onUse={() => act.onMove(row, row + 1)}
      />
      <i />
      <Tool icon="undo" label="Undo" keys="Ctrl Z" isDisabled={!canUndo} onUse={act.onUndo} />
      <Tool icon="undo" label="Redo" keys="Ctrl Y" isDisabled={!canRedo} onUse={act.onRedo} isMirrored />
    </div>
  );
}

interface ToolProps {
  icon: IconName;
  label: string;
  keys?: string;
  isDisabled: boolean;
  isMirrored?: boolean;
  onUse: () => void;
}

function Tool({ icon, label, keys, isDisabled, onUse, isMirrored }: ToolProps) {
  return (
    <IconButton
      size="small"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      disabled={isDisabled}
      data-mirrored={isMirrored}
      // The cell keeps the focus, so that typing goes on.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onUse}
    >
      <Icon name={icon} size={16} />
    </IconButton>
  );
}
