import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNotify } from 'react-admin';
import type { Definition } from '../../src/engine/definitions/definition';
import { ApiError } from '../../src/app/session/api';
import { cancelJob, fetchJob, isOpen, jobsRoom, retryJob, type Job } from '../jobs/calls';
import { room, saveFailed, type ImportResult } from './calls';

const often = 2_000;
const toastTime = 7000;

interface Kept {
  id: number;
  /** Whether the user was notified of its end. */
  told: boolean;
}

/** The import that this tab follows across screens and reloads. */
export interface FollowedImport {
  job: Job<ImportResult> | undefined;
  isBusy: boolean;
  follow: (id: number) => void;
  cancel: () => void;
  goOn: () => void;
  putAway: () => void;
}

const keyOf = (type: string) => `assay.import.${type}`;

function read(type: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(type)) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}

function write(type: string, kept: Kept | null): void {
  if (kept) sessionStorage.setItem(keyOf(type), JSON.stringify(kept));
  else sessionStorage.removeItem(keyOf(type));
}

/** Follows the import of a resource that was started in this tab, and notifies the user once of its result. */
export function useFollowed(definition: Definition): FollowedImport {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [kept, setKept] = useState(() => read(definition.name));
  const [isBusy, setBusy] = useState(false);
  const id = kept?.id;
  const { data: job, error } = useQuery({
    queryKey: [jobsRoom, id],
    queryFn: ({ signal }) => fetchJob<ImportResult>(id!, signal),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? false : often),
    retry: false,
    meta: { quiet: true },
  });
  const keep = (next: Kept | null) => {
    write(definition.name, next);
    setKept(next);
  };
  const tell = useEffectEvent((ended: Job<ImportResult>) => {
    keep({ id: ended.id, told: true });
    void queryClient.invalidateQueries({ queryKey: [room] });
    const say = (message: string, type: 'success' | 'warning' | 'error') =>
      notify(message, { type, autoHideDuration: toastTime, messageArgs: { _: message } });
    const failed = ended.result?.failed_file;
    if (ended.state === 'failed') say(ended.message ?? 'An error occurred during import.', 'error');
    else if (ended.state === 'cancelled') say(ended.message ?? 'Cancelled.', 'warning');
    else if (!failed) say('Imported Successfully', 'success');
    else {
      say(`Some ${definition.labels.many.toLowerCase()} could not be imported. Downloading failed imports.`, 'warning');
      saveFailed(failed).catch((failure: Error) => say(failure.message, 'error'));
    }
  });
  const isGone = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    if (job && job.id === kept?.id && !kept.told && !isOpen(job)) tell(job);
  }, [job, kept]);
  const act = async (run: () => Promise<unknown>) => {
    setBusy(true);
    await run().catch((failure: Error) =>
      notify(failure.message, { type: 'error', messageArgs: { _: failure.message } }),
    );
    await queryClient.invalidateQueries({ queryKey: [jobsRoom, id] });
    setBusy(false);
  };
  return {
    job: isGone || job?.id !== id ? undefined : job,
    isBusy,
    follow: (next) => keep({ id: next, told: false }),
    cancel: () => void act(() => cancelJob(id!)),
    goOn: () =>
      void act(async () => {
        await retryJob(id!);
        keep({ id: id!, told: false });
      }),
    putAway: () => keep(null),
  };
}
