import Dialog from '@mui/material/Dialog';
import { useId, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { Icon } from '../icons/Icon';
import type { MenuGroup, MenuItem } from './menu';
import * as styles from './shell.module.css';

export interface JumpDialogProps {
  open: boolean;
  groups: MenuGroup[];
  onClose: () => void;
}

type JumpTarget = MenuItem & { group?: string };

function findTargets(groups: MenuGroup[], text: string): JumpTarget[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .flatMap((group) => group.items.map((item) => ({ ...item, group: group.label })))
    .filter((target) => {
      const name = `${target.label} ${target.group ?? ''}`.toLowerCase();
      return words.every((word) => name.includes(word));
    });
}

/** Opens any entry of the menu by part of its name. */
export function JumpDialog({ open, groups, onClose }: JumpDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      slotProps={{
        container: { sx: { alignItems: 'flex-start' } },
        paper: { className: styles.jump, 'aria-label': 'Jump to' },
      }}
    >
      {open && <JumpList groups={groups} onClose={onClose} />}
    </Dialog>
  );
}

function JumpList({ groups, onClose }: Omit<JumpDialogProps, 'open'>) {
  const id = useId();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const targets = findTargets(groups, text);
  const current = targets[at];

  const go = (target: JumpTarget | undefined) => {
    if (!target) return;
    onClose();
    void navigate(target.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move && targets.length > 0) {
      event.preventDefault();
      setAt((at + move + targets.length) % targets.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(current);
    }
  };

  return (
    <>
      <div className={styles.jumpInput}>
        <Icon name="search" />
        <input
          autoFocus
          role="combobox"
          aria-label="Jump to"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          placeholder="Type part of a name"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <ul id={`${id}-list`} role="listbox" aria-label="Screens">
        {targets.map((target, index) => (
          <li
            key={target.to}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            ref={(row) => {
              if (index === at) row?.scrollIntoView?.({ block: 'nearest' });
            }}
            onMouseMove={() => setAt(index)}
            onClick={() => go(target)}
          >
            <Icon name={target.icon} />
            <span>{target.label}</span>
            {target.group && <small>{target.group}</small>}
          </li>
        ))}
      </ul>
      {targets.length === 0 && (
        <p className={styles.jumpNone} role="status">
          No matching screens.
        </p>
      )}
    </>
  );
}
