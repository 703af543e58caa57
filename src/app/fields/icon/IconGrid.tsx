import Button from '@mui/material/Button';
import InputBase from '@mui/material/InputBase';
import { useState } from 'react';
import { Icon } from '../../icons/Icon';
import { iconNames, platformIconNames } from '../../icons/icons';
import * as styles from '../fields.module.css';

interface IconGridProps {
  value: string;
  /** Undefined: none. */
  onPick: (name: string | undefined) => void;
}

// Icons of platforms come first.
const orderedNames: readonly string[] = [...new Set<string>([...platformIconNames, ...iconNames])];

/** All icons, filtered by the typed text. */
export function IconGrid({ value, onPick }: IconGridProps) {
  const [search, setSearch] = useState('');
  const query = search.trim().toLowerCase().replaceAll(' ', '-');
  const names = orderedNames.filter((name) => name.includes(query));
  return (
    <>
      <div className={styles.iconSearch}>
        <Icon name="search" />
        <InputBase
          autoFocus
          fullWidth
          placeholder="Find an icon"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          slotProps={{ input: { 'aria-label': 'Find an icon' } }}
        />
        {value && (
          <Button variant="text" size="small" onClick={() => onPick(undefined)}>
            Clear
          </Button>
        )}
      </div>
      <div className={styles.iconGrid}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            title={name}
            aria-label={name}
            aria-pressed={name === value}
            onClick={() => onPick(name)}
          >
            <Icon name={name} size={18} />
          </button>
        ))}
      </div>
      {names.length === 0 && <p className={styles.iconNone}>Nothing matches “{search.trim()}”</p>}
    </>
  );
}
