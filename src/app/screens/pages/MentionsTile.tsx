import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { recordPath } from '../../../engine/lists/row-actions';
import { usualRows, type Tile } from '../../../engine/pages/tiles';
import { useDefinitions } from '../../data/DefinitionsContext';
import { relativeTime } from '../../layout/relativeTime';
import { fetchApi } from '../../session/api';
import * as statesStyles from '../../states/states.module.css';
import { notificationsKey, type Notification } from '../notifications/api';
import { linkedRecord } from '../notifications/LinkedRecord';
import { TileFrame } from './TileFrame';
import { usePageRow } from './usePageRows';
import * as styles from './pages.module.css';

/** Notifications that somebody mentioned the user in a comment. */
const mentionOccasion = 'record_mentioned';

/** The latest comments that mention the user, each a link to its record. */
export function MentionsTile({ tile, tools }: { tile: Tile; tools?: ReactNode }) {
  const query = new URLSearchParams({
    occasion: mentionOccasion,
    range: JSON.stringify([0, (tile.limit ?? usualRows) - 1]),
  });
  const path = `/${notificationsKey}?${query.toString()}`;
  const { data, isError } = useQuery({
    queryKey: [notificationsKey, path],
    queryFn: async ({ signal }) => (await fetchApi<{ data: readonly Notification[] }>(path, { signal })).data,
    retry: false,
    meta: { quiet: true },
  });
  return (
    <TileFrame title={tile.title || 'Mentioned'} tools={tools} waits={{ contentKey: path, now: !data && !isError }}>
      {isError && !data ? (
        <p className={styles.tileNote} role="status">
          The comments could not be loaded.
        </p>
      ) : !data ? (
        <span className={`${statesStyles.skeleton} ${styles.tileWait}`} aria-hidden="true" />
      ) : data.length === 0 ? (
        <p className={styles.tileNote}>Nobody mentioned you yet.</p>
      ) : (
        <ul className={styles.tileMentions}>
          {data.map((mention) => (
            <MentionRow key={mention.id} {...mention} />
          ))}
        </ul>
      )}
    </TileFrame>
  );
}

function MentionRow({ id, title, content, date, isRead, link }: Notification) {
  const row = usePageRow(`mention:${id}`);
  const definitions = useDefinitions();
  const record = linkedRecord(link, definitions);
  return (
    <li data-unread={!isRead || undefined}>
      {record ? (
        <Link to={recordPath(record.definition, record)} className={styles.tileLink} {...row}>
          {title}
        </Link>
      ) : (
        <span>{title}</span>
      )}
      <time dateTime={date}>{relativeTime(date)}</time>
      {content && <p>{content}</p>}
    </li>
  );
}
