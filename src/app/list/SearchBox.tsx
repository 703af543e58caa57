import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../icons/Icon';
import { searchBoxId } from './useListCommands';
import { useResourceList } from './ResourceList';
import * as styles from './toolbar.module.css';

const pause = 250;

/** Searches while typing, debounced by 250 ms. Escape clears it. */
export function SearchBox() {
  const {
    definition: { labels },
    state: { q },
    change,
  } = useResourceList();
  const [text, setText] = useState(q);
  const [lastQuery, setLastQuery] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (lastQuery !== q) {
    // The address changed: Back, a chip, a link.
    setLastQuery(q);
    if (text.trim() !== q) setText(q);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  const search = (value: string, wait = pause) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => change((current) => ({ ...current, q: value.trim(), page: 1 }), { replace: true }),
      wait,
    );
  };
  const hint = `Search ${labels.many.toLowerCase()}`;
  return (
    <OutlinedInput
      id={searchBoxId}
      className={styles.listSearch}
      size="small"
      type="text"
      placeholder={hint}
      value={text}
      onChange={(event) => search(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(text, 0);
        if (event.key === 'Escape' && text !== '') {
          event.stopPropagation();
          search('', 0);
        }
      }}
      slotProps={{ input: { 'aria-label': hint, role: 'searchbox', 'aria-keyshortcuts': '/', maxLength: 255 } }}
      startAdornment={
        <InputAdornment position="start">
          <Icon name="search" />
        </InputAdornment>
      }
      endAdornment={
        text !== '' && (
          <IconButton size="small" edge="end" aria-label="Clear search" onClick={() => search('', 0)}>
            <Icon name="close" size={14} />
          </IconButton>
        )
      }
    />
  );
}
