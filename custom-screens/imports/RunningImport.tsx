import Button from '@mui/material/Button';
import type { Definition } from '../../src/engine/definitions/definition';
import { Icon } from '../../src/app/icons/Icon';
import { isOpen } from '../jobs/calls';
import { JobMark } from '../jobs/JobMark';
import { Progress } from '../jobs/Progress';
import type { FollowedImport } from './useFollowed';

/** The import that was started last in this tab: its progress, then its result, until it is dismissed. */
export function RunningImport({ definition, followed }: { definition: Definition; followed: FollowedImport }) {
  const { job, isBusy, cancel, goOn, putAway } = followed;
  if (!job) return null;
  const { title, state, done, total, message, can_cancel: mayCancel, can_retry: mayRetry, result } = job;
  const failed = result?.failed_file;
  return (
    <section className="imports-card imports-now" aria-label={`Import of ${title}`}>
      <header>
        <JobMark state={state} />
        <b className="imports-name">{title}</b>
        {isOpen(job) && <Progress done={done} total={total} label={title} />}
        {!isOpen(job) && <small role="status">{message}</small>}
        <span className="imports-gap" />
        {isOpen(job) && (
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
          <Button size="small" variant="contained" startIcon={<Icon name="play" />} disabled={isBusy} onClick={goOn}>
            Continue
          </Button>
        )}
        {!isOpen(job) && (
          <Button size="small" startIcon={<Icon name="close" />} onClick={putAway}>
            Dismiss
          </Button>
        )}
      </header>
    </section>
  );
}
