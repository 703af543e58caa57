import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNotify } from 'react-admin';
import { Link } from 'react-router-dom';
import { formatInstant } from '../../../engine/formats/dates';
import { openedLink } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { FailedState } from '../../states/FailedState';
import { LinkedRecord, linkedRecord } from './LinkedRecord';
import { fetchNotification, markRead, notificationsKey } from './api';
import * as styles from './notifications.module.css';

interface NotificationDetailsProps {
  id: string;
  /** It was opened, and not merely shown as the first one: only then it counts as read. */
  isChosen: boolean;
  onClose: () => void;
}

/** One notification in full. Opening it marks it as read once, so that it can be marked as unread again. */
export function NotificationDetails({ id, isChosen, onClose }: NotificationDetailsProps) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const definitions = useDefinitions();
  const isViewing = definitions.actor.viewer !== undefined;
  const { data, error, refetch } = useQuery({
    queryKey: [notificationsKey, 'one', id],
    queryFn: ({ signal }) => fetchNotification(id, signal),
    retry: false,
    meta: { quiet: true },
  });
  const mark = async (isRead: boolean) => {
    await markRead(Number(id), isRead).catch((failure: Error) => notify(failure.message, { type: 'error' }));
    await queryClient.invalidateQueries({ queryKey: [notificationsKey] });
  };
  const isMarked = useRef(false);
  useEffect(() => {
    if (!data || !isChosen || isMarked.current) return;
    isMarked.current = true;
    if (!data.isRead && !isViewing) void mark(true);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [data, isChosen]);
  if (error && !data) {
    return (
      <FailedState
        title="This notification could not be loaded"
        message={error.message}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) return null;
  const linkTarget = linkedRecord(data.link, definitions);
  return (
    <article className={styles.noteWhole} aria-labelledby="note-title">
      <Button className={styles.noteBack} variant="text" startIcon={<Icon name="chevron-left" />} onClick={onClose}>
        All notifications
      </Button>
      <header>
        <h2 id="note-title">{data.title}</h2>
        <time dateTime={data.date}>{formatInstant(data.date)}</time>
      </header>
      {data.content && <p>{data.content}</p>}
      {linkTarget && <LinkedRecord {...linkTarget} />}
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 2 }}>
        {data.link?.startsWith('/') && (
          <Button
            component={Link}
            to={openedLink(data.link, definitions.registry)}
            variant="contained"
            startIcon={<Icon name="external" />}
          >
            {linkTarget ? `Open ${linkTarget.definition.labels.one}` : 'Open'}
          </Button>
        )}
        {!isViewing && (
          <Button variant="outlined" startIcon={<Icon name="mail" />} onClick={() => void mark(!data.isRead)}>
            {data.isRead ? 'Mark as unread' : 'Mark as read'}
          </Button>
        )}
      </Stack>
    </article>
  );
}
