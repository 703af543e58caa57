import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import { useId, type ReactNode } from 'react';
import { Icon } from '../../icons/Icon';
import * as styles from './permissions.module.css';

interface SidePanelProps {
  title: string;
  /** Whether it is beside the matrix; otherwise it is a drawer over it. */
  isDocked: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The panel beside the matrix. */
export function SidePanel({ title, isDocked, onClose, children }: SidePanelProps) {
  const id = useId();
  const content = (
    <>
      <header className={styles.panelHead}>
        <h2 id={id}>{title}</h2>
        <IconButton size="small" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      {children}
    </>
  );
  if (isDocked) {
    return (
      <aside className={styles.permissionsPanel} aria-labelledby={id}>
        {content}
      </aside>
    );
  }
  return (
    <Drawer
      open
      anchor="right"
      onClose={onClose}
      slotProps={{ paper: { className: styles.permissionsPanel, role: 'dialog', 'aria-labelledby': id } }}
    >
      {content}
    </Drawer>
  );
}
