import Button from '@mui/material/Button';
import type { Definition } from '../../../engine/definitions/definition';
import { Icon } from '../../icons/Icon';
import { isUnfinished } from '../jobs/api';
import { JobStateLabel } from '../jobs/JobStateLabel';
import { Progress } from '../jobs/Progress';
import type { FollowedImport } from './useFollowedImport';
import * as styles from './imports.module.css';

/** The import that was started last in this tab: its progress, then its result, until it is dismissed. */
export function RunningImport({
  definition,
  followedImport,
}: {
  definition: Definition;
  followedImport: FollowedImport;
}) {
  const { job, isBusy, cancel, resume, dismiss } = followedImport;
  if (!job) return null;
  const { title, state, done: doneCount, total, message, can_cancel: mayCancel, can_retry: mayRetry, result } = job;
  const failed = result?.failed_file;
  return (
    <section className={`${styles.importsCard} ${styles.importsNow}`} aria-label={`Import of ${title}`}>
      <header>
        <JobStateLabel state={state} />
        <b className={styles.importsName}>{title}</b>
        {isUnfinished(job) && <Progress value={doneCount} total={total} label={title} />}
        {!isUnfinished(job) && <small role="status">{message}</small>}
        <span className={styles.importsGap} />
        {isUnfinished(job) && (
          <Button size="small" variant="outlined" disabled={!mayCancel || isBusy} onClick={cancel}>
            {mayCancel ? 'Cancel' : 'Cancelling…'}
          </Button>
        )}
        {failed && (
          <Button size="small" variant="outlined" startIcon={<Icon name="download" />} href={failed.url}>
            Download {definition.labels.many.toLowerCase()} with errors
          </Button>
        )}
        {mayRetry && (
          <Button size="small" variant="contained" startIcon={<Icon name="play" />} disabled={isBusy} onClick={resume}>
            Continue
          </Button>
        )}
        {!isUnfinished(job) && (
          <Button size="small" startIcon={<Icon name="close" />} onClick={dismiss}>
            Dismiss
          </Button>
        )}
      </header>
    </section>
  );
}
