import { describeCall } from '../routing/call-description';
import {
  dataSchema,
  idSchema,
  dateTimeSchema,
  arraySchema,
  objectSchema,
  nullableSchema,
  stringSchema,
  integerSchema,
  booleanSchema,
} from '../routing/schemas';
import { jobStates } from '../jobs/job';

const tag = 'Jobs';
const job = objectSchema({
  id: idSchema,
  kind: stringSchema,
  label: stringSchema,
  title: stringSchema,
  user: nullableSchema(objectSchema({ id: idSchema, name: stringSchema })),
  site_id: nullableSchema(idSchema),
  state: { type: 'string', enum: jobStates },
  done: integerSchema,
  total: nullableSchema(integerSchema),
  result: { description: 'The result, which depends on the kind; null before the end.' },
  message: nullableSchema(stringSchema),
  attempts: integerSchema,
  can_cancel: booleanSchema,
  can_retry: booleanSchema,
  next_at: dateTimeSchema,
  created_at: dateTimeSchema,
  started_at: nullableSchema(dateTimeSchema),
  finished_at: nullableSchema(dateTimeSchema),
});

/** The documentation of the calls of jobs. */
export const jobCalls = {
  list: describeCall({
    id: 'jobs',
    tag,
    summary: 'List jobs: your own, those of your company for its owner, all for an administrator',
    query: {
      range: 'As in [0,14].',
      state: `One of ${jobStates.join(', ')}; several separated by commas.`,
      kind: 'Names of kinds.',
    },
    answer: dataSchema(arraySchema(job)),
  }),
  read: describeCall({ id: 'job', tag, summary: 'Read a job: its progress and result', answer: dataSchema(job) }),
  cancel: describeCall({
    id: 'cancel-job',
    tag,
    summary: 'Cancel a job. Saved changes stay; a running job ends at its next checkpoint',
    answer: dataSchema(job),
  }),
  retry: describeCall({
    id: 'retry-job',
    tag,
    summary: 'Retry a failed or cancelled job from where it stopped',
    answer: dataSchema(job),
  }),
};
