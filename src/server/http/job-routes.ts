import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Queries } from '../database/database';
import { BadRequest, NotFound } from '../errors/errors';
import { requestContextOf } from '../accounts/session/caller-context';
import type { Program } from '../program';
import { parseRange } from '../records/read/query/list-query';
import { typedApi, type IdRequest } from '../routing/define-call';
import type { Scope } from '../routing/call-scope';
import { declareJobCalls } from './job-calls';
import { jobStates, type Job } from '../jobs/job';
import { jobFilter } from '../jobs/job-filter';
import { findJob, listJobs } from '../jobs/store';

/** Jobs that travel at a time. */
const maxPage = 100;

/** `jobs`: lists the visible jobs with their progress and who started them, cancels and retries them. */
export function registerJobRoutes(api: FastifyInstance, program: Program): void {
  const calls = typedApi(api);
  const { jobs, database } = program;
  const { kysely } = database;
  const jobCalls = declareJobCalls(
    [...jobs.kinds.values()].map(({ grant }): Scope => `${grant.resource}.${grant.action}`),
  );

  const answers = async (foundJobs: readonly Job[]) => {
    const names = await loadUserNames(kysely, [...new Set(foundJobs.map(({ user_id }) => user_id))]);
    return foundJobs.map((job) => formatJob(program, job, names));
  };
  const answer = async (job: Job) => ({ data: (await answers([job]))[0] });

  calls.get('/jobs', jobCalls.list, async (request, reply) => {
    const { actor } = await requestContextOf(program, request);
    const { range = '[0,14]', state, kind } = request.query;
    const { offset, limit: requestedLimit } = parseRange(range);
    const limit = Math.min(requestedLimit, maxPage);
    const states = parseList(state);
    const invalidState = states?.find((state) => !(jobStates as readonly string[]).includes(state));
    if (invalidState !== undefined)
      throw new BadRequest(`state: ${invalidState.slice(0, 50)} is not one of ${jobStates.join(', ')}.`);
    const page = await listJobs(kysely, jobFilter(actor, jobs.kinds), {
      states,
      kinds: parseList(kind),
      from: offset,
      limit,
    });
    const last = page.jobs.length === 0 ? '*' : `${offset}-${offset + page.jobs.length - 1}`;
    reply.header('Content-Range', `jobs ${last}/${page.total}`);
    return { data: await answers(page.jobs) };
  });

  calls.get('/jobs/:id', jobCalls.read, async (request) => answer(await visibleJob(request)));

  calls.delete('/jobs/:id', jobCalls.cancel, async (request) => {
    const { id } = await visibleJob(request);
    return answer(await jobs.cancel(id));
  });

  calls.post('/jobs/:id/retry', jobCalls.retry, async (request) => {
    const { id } = await visibleJob(request);
    return answer(await jobs.retry(id));
  });

  async function visibleJob(request: IdRequest): Promise<Job> {
    const { actor } = await requestContextOf(program, request);
    const job = await findJob(kysely, request.params.id, jobFilter(actor, jobs.kinds));
    if (!job) throw new NotFound();
    return job;
  }
}

/** The names of users by id, including deleted ones. */
async function loadUserNames(queries: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string }>`select id, concat_ws(' ', first_name, last_name) as name
    from users where id = any(${ids}::bigint[])`.execute(queries);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Formats a job for the API. */
function formatJob({ jobs }: Program, job: Job, names: ReadonlyMap<number, string>) {
  const { id, kind: name, title, site_id, user_id, state, done: doneCount, total, result, message, attempts } = job;
  const { repeatable, cancel_wanted, next_at, created_at, started_at, finished_at } = job;
  const kind = jobs.kinds.get(name);
  const user = names.has(user_id) ? { id: user_id, name: names.get(user_id) } : null;
  const open = state === 'waiting' || state === 'running';
  return {
    id,
    kind: name,
    label: kind?.label ?? name,
    title,
    user,
    site_id,
    state,
    done: doneCount,
    total,
    result: kind?.formatResult ? kind.formatResult(job) : result,
    message,
    attempts,
    can_cancel: open && !cancel_wanted,
    can_retry: repeatable && (state === 'failed' || state === 'cancelled'),
    next_at,
    created_at,
    started_at,
    finished_at,
  };
}

function parseList(text: string | undefined): string[] | undefined {
  return text ? text.split(',') : undefined;
}
