import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../icons/Icon';
import type { MenuGroup, MenuItem } from '../layout/menu';
import { ItemLink } from './SideMenu';
import * as styles from './shell.module.css';

export interface SettingsMenuProps {
  groups: readonly MenuGroup[];
  active?: MenuItem;
  /** Where the person was before the settings. Without it there is no title: the bar has it. */
  back?: string;
}

/** The list of settings, in groups, with a search in their names. */
export default function SettingsMenu({ groups, active, back }: SettingsMenuProps) {
  const [text, setText] = useState('');
  const searchText = text.trim().toLowerCase();
  const foundGroups = groups
    .map(({ label = '', items }) => ({
      label,
      items: items.filter((item) => `${label} ${item.label}`.toLowerCase().includes(searchText)),
    }))
    .filter(({ items }) => items.length > 0);
  return (
    <nav className={styles.settings} aria-label="Settings">
      {back !== undefined && (
        <header>
          <IconButton component={Link} to={back} aria-label="Back from the settings" size="small">
            <Icon name="chevron-left" />
          </IconButton>
          Settings
        </header>
      )}
      <OutlinedInput
        size="small"
        placeholder="Find a setting"
        value={text}
        onChange={({ target }) => setText(target.value)}
        startAdornment={
          <InputAdornment position="start">
            <Icon name="search" />
          </InputAdornment>
        }
        slotProps={{ input: { 'aria-label': 'Find a setting' } }}
      />
      <div className={styles.sideGroups}>
        {foundGroups.map(({ label, items }) => (
          <div key={label} className={styles.sideGroup}>
            <h2 className={styles.sideHeading} aria-hidden="true">
              {label}
            </h2>
            <ul aria-label={label}>
              {items.map((item) => (
                <li key={item.to}>
                  <ItemLink item={item} active={item.to === active?.to} />
                </li>
              ))}
            </ul>
          </div>
        ))}
        {foundGroups.length === 0 && <p>No setting of that name.</p>}
      </div>
    </nav>
  );
}
