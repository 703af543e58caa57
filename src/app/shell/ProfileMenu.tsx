import Divider from '@mui/material/Divider';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Link } from 'react-router-dom';
import { usePopup } from '../dialogs/usePopup';
import { Icon } from '../icons/Icon';
import { useThemeChoice, type ThemeChoice } from '../theme/themeChoice';
import { Initials } from '../chips/Initials';
import * as styles from './shell.module.css';

/** The signed-in user. */
export interface Person {
  name: string;
  email: string;
  /** The role's name. */
  role: string;
}

/** An additional entry between Profile and the theme. */
export interface ProfileEntry {
  to: string;
  label: string;
  icon: string;
}

export interface ProfileMenuProps {
  person: Person;
  profilePath: string;
  entries?: ProfileEntry[];
  /** Starts viewing as another user; left out if the user may not. */
  onViewAs?: () => void;
  onSignOut: () => void;
}

const themes: { choice: ThemeChoice; label: string }[] = [
  { choice: 'light', label: 'Light' },
  { choice: 'dark', label: 'Dark' },
  { choice: 'system', label: 'Auto' },
];

/** The user menu: name and role, profile, theme, sign out. */
export function ProfileMenu({ person, profilePath, entries = [], onViewAs, onSignOut }: ProfileMenuProps) {
  const menu = usePopup('menu');
  const { choice, choose } = useThemeChoice();
  const links = [{ to: profilePath, label: 'Profile', icon: 'user' }, ...entries];
  return (
    <>
      <IconButton aria-label={`${person.name}, profile menu`} {...menu.button}>
        <Initials name={person.name} size={28} />
      </IconButton>
      <Menu
        {...menu.popup}
        disablePortal
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: -6, horizontal: 'right' }}
        slotProps={{ list: { className: styles.profileMenu, 'aria-label': 'Profile' } }}
      >
        <li className={styles.profileWho} role="presentation">
          <Initials name={person.name} size={28} />
          <div>
            <b>{person.name}</b>
            <span>{person.email}</span>
            <span>{person.role}</span>
          </div>
        </li>
        <Divider component="li" aria-hidden="true" />
        {links.map(({ to: path, label, icon }) => (
          <MenuItem key={path} component={Link} to={path} onClick={menu.close}>
            <Icon name={icon} />
            {label}
          </MenuItem>
        ))}
        {onViewAs && (
          <MenuItem onClick={menu.and(onViewAs)}>
            <Icon name="eye" />
            View as…
          </MenuItem>
        )}
        <Divider component="li" aria-hidden="true" />
        <li className={styles.profileTheme} role="presentation">
          Theme
        </li>
        {themes.map((theme) => (
          <MenuItem
            key={theme.choice}
            className={styles.profileChoice}
            role="menuitemradio"
            aria-checked={choice === theme.choice}
            selected={choice === theme.choice}
            onClick={() => choose(theme.choice)}
          >
            {theme.label}
          </MenuItem>
        ))}
        <Divider component="li" aria-hidden="true" />
        <MenuItem onClick={menu.and(onSignOut)}>
          <Icon name="sign-out" />
          Sign out
        </MenuItem>
      </Menu>
    </>
  );
}
