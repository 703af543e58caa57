import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { Icon } from '../../icons/Icon';
import type { ViewChanges, BarView } from './useViewChanges';
import type { SavedView } from './useSavedViews';
import * as styles from './saved-views.module.css';
import * as menuStyles from '../menus.module.css';
import * as toolbarStyles from '../toolbar.module.css';

interface ViewMenuProps {
  open: BarView;
  /** The key of the view that the user chose to open first. */
  chosenKey: string | undefined;
  /** In what the list differs from the view, in words. */
  changes: readonly string[];
  viewChanges: ViewChanges;
  anchor: HTMLElement;
  onReset: () => void;
  onEdit: () => void;
  /** Undefined: the user cannot save views. */
  onNew: (() => void) | undefined;
  onClose: () => void;
}

interface Entry {
  icon: string;
  label: string;
  run: () => void;
  keys?: string;
  checked?: boolean;
  isDanger?: boolean;
}

/** The menu of actions on the open view. */
export function ViewMenu({
  open,
  chosenKey,
  viewChanges,
  anchor,
  onReset,
  onEdit,
  onNew,
  onClose,
  ...current
}: ViewMenuProps) {
  const { record } = open;
  // Entries that vanished once a change is saved would move the others away from the pointer.
  const [changes] = useState(current.changes);
  const isChanged = changes.length > 0;
  const parts: (Entry | null)[][] = [
    [
      record && isChanged && viewChanges.mayEdit(record)
        ? { icon: 'check', label: 'Update view', keys: 'Ctrl+S', run: () => viewChanges.update(record) }
        : null,
      isChanged ? { icon: 'undo', label: 'Reset changes', run: onReset } : null,
      onNew ? { icon: 'copy', label: 'Save as new view…', run: onNew } : null,
    ],
    [
      ...(record && viewChanges.mayEdit(record) ? editing(record, viewChanges, onEdit) : []),
      choosing(open, chosenKey, viewChanges),
      copying(open, viewChanges),
    ],
    [
      record && viewChanges.mayDelete(record)
        ? { icon: 'trash', label: 'Delete view', isDanger: true, run: () => viewChanges.remove(record) }
        : null,
    ],
  ];
  const visibleParts = parts.map((part) => part.filter((entry) => entry !== null)).filter((part) => part.length > 0);
  return (
    <Menu open anchorEl={anchor} onClose={onClose} className={menuStyles.below}>
      {isChanged && (
        <ListSubheader role="presentation" disableGutters className={styles.viewChanges}>
          <i className={styles.viewChanged} /> Changed: {changes.join(', ')}
        </ListSubheader>
      )}
      {visibleParts.flatMap((part, index) => [
        ...(index > 0 ? [<Divider key={`line ${index}`} component="li" aria-hidden="true" />] : []),
        ...part.map(({ icon, label, run, keys, checked, isDanger }) => (
          <MenuItem
            key={label}
            className={isDanger ? styles.viewDelete : undefined}
            {...(checked !== undefined && { role: 'menuitemcheckbox', 'aria-checked': checked })}
            onClick={() => {
              onClose();
              run();
            }}
          >
            <Icon name={icon} />
            <span className={toolbarStyles.listGrow}>{label}</span>
            {keys && <kbd className={styles.viewKeys}>{keys}</kbd>}
            {checked && <Icon name="check" />}
          </MenuItem>
        )),
      ])}
    </Menu>
  );
}

function editing(record: SavedView, viewChanges: ViewChanges, onEdit: () => void): Entry[] {
  const { name, pinned: isPinned, opens_first: opensFirst, audience } = record;
  const audienceWords = { me: '', role: ' for the role', everyone: ' for everyone' }[audience];
  return [
    { icon: 'pencil', label: 'Rename or share…', run: onEdit },
    {
      icon: 'template',
      label: 'Pinned as tab',
      checked: isPinned,
      run: () =>
        viewChanges.set(
          record,
          { pinned: !isPinned },
          isPinned ? `View ${name} is no longer a tab` : `View ${name} is a tab`,
        ),
    },
    {
      icon: 'star',
      label: `Open this view first${audienceWords}`,
      checked: opensFirst,
      run: () =>
        viewChanges.set(
          record,
          { opens_first: !opensFirst },
          opensFirst ? `The list no longer opens with ${name}` : `The list opens with ${name}${audienceWords}`,
        ),
    },
  ];
}

function choosing(open: BarView, chosenKey: string | undefined, viewChanges: ViewChanges): Entry | null {
  if (!viewChanges.mayChoose(open)) return null;
  const isChosen = chosenKey === open.key;
  return {
    icon: 'star',
    label: 'Open this view first for me',
    checked: isChosen,
    run: () => viewChanges.choose(open, !isChosen),
  };
}

const copying = (open: BarView, viewChanges: ViewChanges): Entry => ({
  icon: 'link',
  label: 'Copy link',
  run: () => viewChanges.copyLink(open),
});

interface MoreViewsMenuProps {
  /** Those that are no tabs. */
  views: readonly BarView[];
  anchor: HTMLElement;
  onOpen: (view: BarView) => void;
  onNew: (() => void) | undefined;
  onClose: () => void;
}

/** The views that are no tabs, and saving a new one. */
export function MoreViewsMenu({ views, anchor, onOpen, onNew, onClose }: MoreViewsMenuProps) {
  const and = (run: () => void) => () => {
    onClose();
    run();
  };
  return (
    <Menu open anchorEl={anchor} onClose={onClose} className={menuStyles.below}>
      {onNew && (
        <MenuItem onClick={and(onNew)}>
          <Icon name="save" />
          Save as new view…
        </MenuItem>
      )}
      {onNew && views.length > 0 && <Divider component="li" aria-hidden="true" />}
      {views.map((view) => (
        <MenuItem key={view.key} onClick={and(() => onOpen(view))}>
          <Icon name="list" />
          {view.label}
        </MenuItem>
      ))}
    </Menu>
  );
}
