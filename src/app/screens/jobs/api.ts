import { fetchApi, requestApi } from '../../session/api';

/** The API path, and the first part of every query key of jobs: the server's events about it invalidate them. */
export const jobsKey = 'jobs';
/** The API path, and the first part of every query key of the outbox. */
export const outboxKey = 'outbox';

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** A background job of the server. */
export interface Job<Result = unknown> {
  id: number;
  kind: string;
  label: string;
  title: string;
  user: { id: number; name: string } | null;
  state: JobState;
  done: number;
  total: number | null;
  result: Result | null;
  message: string | null;
  can_cancel: boolean;
  can_retry: boolean;
  created_at: string;
  finished_at: string | null;
}

/** An email that is not sent yet. */
export interface OutboxMail {
  id: number;
  occasion: string;
  label: string;
  name: string | null;
  address: string;
  state: 'waiting' | 'failed';
  attempts: number;
  reason: string | null;
  created_at: string;
  next_at: string | null;
}

/** Whether a job is waiting or running. */
export const isUnfinished = ({ state }: Pick<Job, 'state'>): boolean => state === 'waiting' || state === 'running';

export const fetchJob = async <Result>(id: number, signal?: AbortSignal): Promise<Job<Result>> =>
  (await fetchApi<{ data: Job<Result> }>(`/jobs/${id}`, { signal })).data;
export const cancelJob = (id: number) => requestApi(`/jobs/${id}`, { method: 'DELETE' });
export const retryJob = (id: number) => requestApi(`/jobs/${id}/retry`, { method: 'POST' });
export const retryMail = (id: number) => requestApi(`/outbox/${id}/retry`, { method: 'POST' });
export const discardMail = (id: number) => requestApi(`/outbox/${id}`, { method: 'DELETE' });
