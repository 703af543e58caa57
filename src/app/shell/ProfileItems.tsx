import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Link } from 'react-router-dom';
import { Initials } from '../chips/Initials';
import type { usePopup } from '../dialogs/usePopup';
import { Icon } from '../icons/Icon';
import { useThemeChoice, type ThemeChoice } from '../theme/themeChoice';
import * as styles from './shell.module.css';

/** The signed-in user. */
export interface Person {
  name: string;
  email: string;
  /** The role's name. */
  role: string;
}

export interface ProfileMenuProps {
  person: Person;
  profilePath: string;
  /** Starts viewing as another user; left out if the user may not. */
  onViewAs?: () => void;
  onSignOut: () => void;
}

const themes: { choice: ThemeChoice; label: string }[] = [
  { choice: 'light', label: 'Light' },
  { choice: 'dark', label: 'Dark' },
  { choice: 'system', label: 'Auto' },
];

/** The user menu itself. */
export default function ProfileItems({
  menu,
  person,
  profilePath,
  onViewAs,
  onSignOut,
}: ProfileMenuProps & { menu: ReturnType<typeof usePopup> }) {
  const { choice, choose } = useThemeChoice();
  return (
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
      <MenuItem component={Link} to={profilePath} onClick={menu.close}>
        <Icon name="user" />
        Profile
      </MenuItem>
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
  );
}
