import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Link } from 'react-router-dom';
import type { Module } from '../../../engine/studio/module';
import { usePopup } from '../../dialogs/usePopup';
import { Icon } from '../../icons/Icon';
import type { PendingAction, ModuleAction } from './ModuleActionDialog';
import * as styles from '../../list/menus.module.css';

interface MenuAction {
  readonly action: ModuleAction;
  readonly icon: string;
  readonly label: string;
  readonly danger?: boolean;
}

/** The menu of a module's actions. */
export function ModuleMenu({ module, onAsk }: { module: Module; onAsk: (asked: PendingAction) => void }) {
  const menu = usePopup('menu');
  const { name, labels, retired, upgrade } = module;
  const choices = menuActions(module);
  return (
    <>
      <IconButton size="small" title="More actions" aria-label={`More actions for ${labels.many}`} {...menu.button}>
        <Icon name="more" />
      </IconButton>
      <Menu
        {...menu.popup}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: -2, horizontal: 'right' }}
      >
        {!retired && (
          <MenuItem component={Link} to={`/${name}`}>
            <Icon name="list" />
            Open list
          </MenuItem>
        )}
        <MenuItem component={Link} to={`/studio/${name}/versions`}>
          <Icon name="history" />
          Versions
        </MenuItem>
        {upgrade && (
          <MenuItem component={Link} to={`/studio/${name}/upgrade`}>
            <Icon name="layers" />
            Decide the upgrade
          </MenuItem>
        )}
        {choices.length > 0 && <Divider component="li" aria-hidden="true" />}
        {choices.map(({ action, icon, label, danger }) => (
          <MenuItem
            key={action}
            className={danger ? styles.menuDanger : undefined}
            onClick={menu.and(() => onAsk({ action, module }))}
          >
            <Icon name={icon} />
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

function menuActions({ origin, customised, retired }: Module): MenuAction[] {
  if (retired)
    return [
      { action: 'bringBack', icon: 'restore', label: 'Restore' },
      { action: 'purge', icon: 'trash', label: 'Purge the table', danger: true },
    ];
  if (origin === 'custom') return [{ action: 'retire', icon: 'archive', label: 'Retire', danger: true }];
  return customised ? [{ action: 'return', icon: 'undo', label: 'Reset to shipped' }] : [];
}
