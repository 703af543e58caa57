import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { TreeNode } from '../../../engine/lists/tree';
import { Icon } from '../../icons/Icon';
import type { TreeChanges } from './useTreeChanges';

/** The menu of a record of the tree, and the line that it belongs to. */
export interface OpenMenu {
  readonly node: TreeNode;
  readonly anchor: HTMLElement;
}

interface TreeMenuProps {
  menu: OpenMenu;
  changes: TreeChanges;
  /** It was closed without a choice. */
  onClose: () => void;
  /** Something in it was chosen, which takes the focus. */
  onChosen: () => void;
  onAdd: (below: TreeNode) => void;
  onRename: (node: TreeNode) => void;
  onMove: (node: TreeNode) => void;
}

/** The menu of actions on a record of the tree. */
export function TreeMenu({ menu, changes, onClose, onChosen, onAdd, onRename, onMove }: TreeMenuProps) {
  const { node, anchor } = menu;
  const { openForm } = changes;
  const items = [
    { label: 'Add inside', icon: 'plus', run: changes.add && (() => onAdd(node)) },
    { label: 'Rename', icon: 'pencil', keys: 'F2', run: changes.rename && (() => onRename(node)) },
    { label: 'Move', icon: 'arrow-right', keys: 'Ctrl+X', run: changes.move && (() => onMove(node)) },
    { label: 'Edit', icon: 'panel', run: openForm && (() => openForm(node)) },
  ];
  return (
    <Menu
      open
      anchorEl={anchor}
      onClose={onClose}
      disableRestoreFocus
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: -2, horizontal: 'right' }}
      onKeyDown={(event) => event.stopPropagation()}
      slotProps={{ list: { 'aria-label': node.title } }}
    >
      {items.flatMap(({ label, icon, keys, run }) =>
        run
          ? [
              <MenuItem
                key={label}
                aria-keyshortcuts={keys}
                onClick={() => {
                  onChosen();
                  run();
                }}
              >
                <Icon name={icon} />
                {label}
              </MenuItem>,
            ]
          : [],
      )}
    </Menu>
  );
}
