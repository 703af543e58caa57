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
  result: { description: 'What came of it, as its kind answers it; null before its end.' },
  message: orNull(text),
  attempts: whole,
  can_cancel: flag,
  can_retry: flag,
  next_at: instant,
  created_at: instant,
  started_at: orNull(instant),
  finished_at: orNull(instant),
});

/** How the calls of jobs describe themselves. */
export const calls = {
  list: described({
    id: 'jobs',
    tag,
    summary: 'List jobs: your own, those of your company for its owner, all for an administrator',
    query: {
      range: 'As in [0,14].',
      state: `Of ${jobStates.join(', ')}, several with commas.`,
      kind: 'Names of kinds.',
    },
    answer: data(listOf(job)),
  }),
  read: described({ id: 'job', tag, summary: 'Read a job: how far it is, and what came of it', answer: data(job) }),
  cancel: described({
    id: 'cancel-job',
    tag,
    summary: 'Cancel a job. What is stored already stays; a job that runs ends at its next checkpoint',
    answer: data(job),
  }),
  retry: described({
    id: 'retry-job',
    tag,
    summary: 'Have a job that failed or was cancelled go on where it stopped',
    answer: data(job),
  }),
};
