import Button from '@mui/material/Button';
import { formatNumber } from '../../src/engine/formats/numbers';
import { Icon } from '../../src/app/icons/Icon';
import type { QueuedResult, ResultQueue } from './resultQueue';
import { resultLabels } from './runnerApi';
import * as styles from './runner.module.css';

interface QueueBarProps {
  items: readonly QueuedResult[];
  queue: ResultQueue;
}

/** Says which results the server refused, and how many wait for the connection. */
export function QueueBar({ items, queue }: QueueBarProps) {
  const refusedItems = items.filter(({ refusal }) => refusal !== undefined);
  const waitingCount = items.length - refusedItems.length;
  return (
    <>
      {refusedItems.map(({ key, name, found: result, files = [], refusal }) => (
        <div key={key} className={styles.banner} data-tone="urgent" role="alert">
          <Icon name="warning" />
          <span>
            <b>
              {resultLabels[result.result]} of “{name}” was not stored.
            </b>{' '}
            {refusal}
          </span>
          <Button variant="outlined" size="small" onClick={() => queue.retry(key)}>
            Try again
          </Button>
          {files.length > 0 && (
            <Button variant="outlined" size="small" onClick={() => queue.retryWithoutFiles(key)}>
              Store without its files
            </Button>
          )}
          <Button variant="outlined" size="small" onClick={() => queue.discard(key)}>
            Discard
          </Button>
        </div>
      ))}
      {waitingCount > 0 && (
        <div className={styles.banner} role="status">
          <Icon name="refresh" />
          <span>
            {waitingCount === 1 ? 'One result waits' : `${formatNumber(waitingCount)} results wait`} to be stored.{' '}
            {queue.isUnstored()
              ? 'This browser has no space left to keep all of it: leave this page open. It is sent as soon as the server answers.'
              : 'They are kept in this browser and sent as soon as the server answers.'}
          </span>
        </div>
      )}
    </>
  );
}
