import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNotify } from 'react-admin';
import type { Definition } from '../../../engine/definitions/definition';
import { ApiError } from '../../session/api';
import { cancelJob, fetchJob, isUnfinished, jobsKey, retryJob, type Job } from '../jobs/api';
import { downloadFailedRows, type ImportResult } from './api';
import { importsKey } from '../../data/importAccess';

const pollInterval = 2_000;
const toastDuration = 7000;

interface FollowedJob {
  id: number;
  /** Whether the user was notified of its end. */
  isNotified: boolean;
}

/** The import that this tab follows across screens and reloads. */
export interface FollowedImport {
  job: Job<ImportResult> | undefined;
  isBusy: boolean;
  follow: (id: number) => void;
  cancel: () => void;
  resume: () => void;
  dismiss: () => void;
}

const storageKey = (type: string) => `assay.import.${type}`;

function readStored(type: string): FollowedJob | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(type)) ?? 'null') as FollowedJob | null;
  } catch {
    return null;
  }
}

function writeStored(type: string, job: FollowedJob | null): void {
  if (job) sessionStorage.setItem(storageKey(type), JSON.stringify(job));
  else sessionStorage.removeItem(storageKey(type));
}

/** Follows the import of a resource that was started in this tab, and notifies the user once of its result. */
export function useFollowedImport(definition: Definition): FollowedImport {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [followedJob, setFollowedJob] = useState(() => readStored(definition.name));
  const [isBusy, setBusy] = useState(false);
  const id = followedJob?.id;
  const { data: job, error } = useQuery({
    queryKey: [jobsKey, id],
    queryFn: id === undefined ? skipToken : ({ signal }) => fetchJob<ImportResult>(id, signal),
    refetchInterval: ({ state }) => (state.data && !isUnfinished(state.data) ? false : pollInterval),
    retry: false,
    meta: { quiet: true },
  });
  const setFollowed = (next: FollowedJob | null) => {
    writeStored(definition.name, next);
    setFollowedJob(next);
  };
  const notifyEnd = useEffectEvent((endedJob: Job<ImportResult>) => {
    setFollowed({ id: endedJob.id, isNotified: true });
    void queryClient.invalidateQueries({ queryKey: [importsKey] });
    const say = (message: string, type: 'success' | 'warning' | 'error') =>
      notify(message, { type, autoHideDuration: toastDuration, messageArgs: { _: message } });
    const failed = endedJob.result?.failed_file;
    if (endedJob.state === 'failed') say(endedJob.message ?? 'An error occurred during import.', 'error');
    else if (endedJob.state === 'cancelled') say(endedJob.message ?? 'Cancelled.', 'warning');
    else if (!failed) say('Imported Successfully', 'success');
    else {
      say(`Some ${definition.labels.many.toLowerCase()} could not be imported. Downloading failed imports.`, 'warning');
      downloadFailedRows(failed).catch((failure: Error) => say(failure.message, 'error'));
    }
  });
  const isGone = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    if (job && job.id === followedJob?.id && !followedJob.isNotified && !isUnfinished(job)) notifyEnd(job);
  }, [job, followedJob]);
  const act = async (run: (id: number) => Promise<unknown>) => {
    if (id === undefined) return;
    setBusy(true);
    await run(id).catch((failure: Error) =>
      notify(failure.message, { type: 'error', messageArgs: { _: failure.message } }),
    );
    await queryClient.invalidateQueries({ queryKey: [jobsKey, id] });
    setBusy(false);
  };
  return {
    job: isGone || job?.id !== id ? undefined : job,
    isBusy,
    follow: (next) => setFollowed({ id: next, isNotified: false }),
    cancel: () => void act(cancelJob),
    resume: () =>
      void act(async (job) => {
        await retryJob(job);
        setFollowed({ id: job, isNotified: false });
      }),
    dismiss: () => setFollowed(null),
  };
}
