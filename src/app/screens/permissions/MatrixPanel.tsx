import { useQueryClient } from '@tanstack/react-query';
import type { Actor } from '../../../engine/access/actor';
import { fetchApi } from '../../session/api';
import type { Role, MatrixModule } from './api';
import type { Cell } from './Matrix';
import { RulesPanel } from './RulesPanel';
import type { PanelState } from './usePanel';
import { WhyPanel } from './WhyPanel';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import { useId, type ReactNode } from 'react';
import { Icon } from '../../icons/Icon';
import * as styles from './permissions.module.css';

interface MatrixPanelProps {
  panel: PanelState;
  actor: Actor;
  modules: readonly MatrixModule[];
  cell: Cell | undefined;
  role: Role | undefined;
  module: MatrixModule | undefined;
}

/** The panel beside the matrix: the rules of a cell, or why an action is allowed or denied. */
export function MatrixPanel({ panel, actor, modules, cell, role, module }: MatrixPanelProps) {
  const queryClient = useQueryClient();
  if (panel.openPanel === undefined) return null;
  const askWhy = async () => {
    if (!cell || !role) return;
    const subject = { module: cell.module, action: cell.action };
    const user = await queryClient.fetchQuery({
      queryKey: ['users', 'holding', role.role_id],
      queryFn: () => firstHolder(role.role_id),
    });
    panel.ask({ ...subject, ...(user !== undefined && { user }) });
  };
  return (
    <SidePanel title={panel.openPanel === 'why' ? 'Why?' : 'Rules'} isDocked={panel.isDocked} onClose={panel.close}>
      {panel.question ? (
        <WhyPanel
          modules={modules}
          question={panel.question}
          answer={panel.answer}
          isStale={panel.isStale}
          error={panel.error}
          onAsk={panel.ask}
        />
      ) : (
        <RulesPanel {...{ actor, cell, role, module }} onWhy={() => void askWhy()} />
      )}
    </SidePanel>
  );
}

/** The first user who holds a role, as a default for the question. */
async function firstHolder(role: number): Promise<number | undefined> {
  const query = new URLSearchParams({ role_id: String(role), range: '[0,0]', sort: '["id","ASC"]' });
  const { data } = await fetchApi<{ data: { id: number }[] }>(`/users?${query}`);
  return data[0]?.id;
}

interface SidePanelProps {
  title: string;
  /** Whether it is beside the matrix; otherwise it is a drawer over it. */
  isDocked: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The panel beside the matrix. */
function SidePanel({ title, isDocked, onClose, children }: SidePanelProps) {
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
