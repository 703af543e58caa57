import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { Icon } from '../../icons/Icon';
import * as styles from '../../list/toolbar.module.css';

/** The search of modules; filters while typing, and Escape clears it. */
export function SearchModules({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  return (
    <OutlinedInput
      className={styles.listSearch}
      size="small"
      type="text"
      placeholder="Search modules"
      value={q}
      onChange={(event) => onSearch(event.target.value)}
      onKeyDown={({ key }) => key === 'Escape' && onSearch('')}
      slotProps={{ input: { 'aria-label': 'Search modules', role: 'searchbox', maxLength: 100 } }}
      startAdornment={
        <InputAdornment position="start">
          <Icon name="search" />
        </InputAdornment>
      }
      endAdornment={
        q !== '' && (
          <IconButton size="small" edge="end" aria-label="Clear search" onClick={() => onSearch('')}>
            <Icon name="close" size={14} />
          </IconButton>
        )
      }
    />
  );
}
