import { described } from '../http/described';
import { data, id, instant, listOf, object, orNull, text, whole, flag } from '../http/schemas';
import { jobStates } from './job';

const tag = 'Jobs';
const job = object({
  id,
  kind: text,
  label: text,
  title: text,
  user: orNull(object({ id, name: text })),
  site_id: orNull(id),
  state: { type: 'string', enum: jobStates },
  done: whole,
  total: orNull(whole),
  result: { description: 'The result, which depends on the kind; null before the end.' },
  message: orNull(text),
  attempts: whole,
  can_cancel: flag,
  can_retry: flag,
  next_at: instant,
  created_at: instant,
  started_at: orNull(instant),
  finished_at: orNull(instant),
});

/** The documentation of the calls of jobs. */
export const calls = {
  list: described({
    id: 'jobs',
    tag,
    summary: 'List jobs: your own, those of your company for its owner, all for an administrator',
    query: {
      range: 'As in [0,14].',
      state: `One of ${jobStates.join(', ')}; several separated by commas.`,
      kind: 'Names of kinds.',
    },
    answer: data(listOf(job)),
  }),
  read: described({ id: 'job', tag, summary: 'Read a job: its progress and result', answer: data(job) }),
  cancel: described({
    id: 'cancel-job',
    tag,
    summary: 'Cancel a job. Saved changes stay; a running job ends at its next checkpoint',
    answer: data(job),
  }),
  retry: described({
    id: 'retry-job',
    tag,
    summary: 'Retry a failed or cancelled job from where it stopped',
    answer: data(job),
  }),
};
