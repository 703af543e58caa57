import { Level } from '../../../engine/definitions/level';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import type { NotificationQuery } from './api';
import * as toolbarStyles from '../../list/toolbar.module.css';
import * as styles from './notifications.module.css';

interface NotificationToolsProps {
  listQuery: NotificationQuery;
  unread: number;
  onQueryChange: (change: Partial<NotificationQuery>) => void;
  onReadAll: () => void;
}

const searchDelay = 250;

/** The filters of the list on the left, the button for a new announcement on the right. */
export function NotificationTools({ listQuery, unread, onQueryChange, onReadAll }: NotificationToolsProps) {
  const { actor } = useDefinitions();
  const [text, setText] = useState(listQuery.q);
  useEffect(() => {
    if (text.trim() === listQuery.q) return;
    const timer = setTimeout(() => onQueryChange({ q: text.trim() }), searchDelay);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text]);
  return (
    <div className={toolbarStyles.listTools} role="toolbar" aria-label="Notifications tools">
      <OutlinedInput
        className={toolbarStyles.listSearch}
        size="small"
        type="text"
        placeholder="Search notifications"
        value={text}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ input: { 'aria-label': 'Search notifications', role: 'searchbox', maxLength: 255 } }}
        startAdornment={
          <InputAdornment position="start">
            <Icon name="search" />
          </InputAdornment>
        }
      />
      <span className={toolbarStyles.listViews} role="group" aria-label="Which">
        <button type="button" aria-pressed={!listQuery.unread} onClick={() => onQueryChange({ unread: false })}>
          All
        </button>
        <button type="button" aria-pressed={listQuery.unread} onClick={() => onQueryChange({ unread: true })}>
          Unread <span className="num">{unread}</span>
        </button>
      </span>
      {!actor.viewer && (
        <Button
          variant="outlined"
          className={styles.notesReadAll}
          aria-label="Mark all as read"
          startIcon={<Icon name="check" />}
          disabled={unread === 0}
          onClick={onReadAll}
        >
          <span>Mark all as read</span>
        </Button>
      )}
      <span className={toolbarStyles.listGrow} />
      {actor.level <= Level.Owner && !actor.viewer && (
        <Button
          component={Link}
          to="/notifications/create"
          variant="outlined"
          className={styles.notesAnnounce}
          aria-label="Announcement"
          startIcon={<Icon name="plus" />}
        >
          <span>Announcement</span>
        </Button>
      )}
    </div>
  );
}
