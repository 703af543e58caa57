import { Type } from 'typebox';
import {
  closedObject,
  dataOf,
  dateTime,
  defineCall,
  id,
  idParams,
  nullable,
  rangeParameter,
} from '../routing/define-call';
import { jobStates } from '../jobs/job';
import type { Scope } from '../routing/call-scope';

const tag = 'Jobs';
const job = Type.Object({
  id,
  kind: Type.String(),
  label: Type.String(),
  title: Type.String(),
  user: nullable(Type.Object({ id, name: Type.String() })),
  site_id: nullable(id),
  state: Type.Enum([...jobStates]),
  done: Type.Integer(),
  total: nullable(Type.Integer()),
  result: Type.Unknown({ description: 'The result, which depends on the kind; null before the end.' }),
  message: nullable(Type.String()),
  attempts: Type.Integer(),
  can_cancel: Type.Boolean(),
  can_retry: Type.Boolean(),
  next_at: dateTime,
  created_at: dateTime,
  started_at: nullable(dateTime),
  finished_at: nullable(dateTime),
});

const list = (name: string, description: string) =>
  Type.Optional(Type.String({ description, errorMessage: `${name}: separate several values with commas.` }));

/** The calls of jobs, for those who have one of the scopes that start jobs. */
export const declareJobCalls = (scope: readonly Scope[]) => ({
  list: defineCall({
    id: 'jobs',
    tag,
    scope,
    summary: 'List jobs: your own, those of your company for its owner, all for an administrator',
    querystring: Type.Object(
      {
        range: rangeParameter,
        state: list('state', `One of ${jobStates.join(', ')}; several separated by commas.`),
        kind: list('kind', 'Names of kinds.'),
      },
      closedObject,
    ),
    answer: dataOf(Type.Array(job)),
  }),
  read: defineCall({
    id: 'job',
    tag,
    scope,
    summary: 'Read a job: its progress and result',
    params: idParams,
    answer: dataOf(job),
  }),
  cancel: defineCall({
    id: 'cancel-job',
    tag,
    scope,
    params: idParams,
    summary: 'Cancel a job. Saved changes stay; a running job ends at its next checkpoint',
    answer: dataOf(job),
  }),
  retry: defineCall({
    id: 'retry-job',
    tag,
    scope,
    params: idParams,
    summary: 'Retry a failed or cancelled job from where it stopped',
    answer: dataOf(job),
  }),
});
