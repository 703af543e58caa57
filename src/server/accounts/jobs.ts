import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { createImportKind } from '../imports/import-job';
import type { JobKind } from '../jobs/job';
import { registerJobRoutes, type LoadUserNames } from '../jobs/routes';
import type { Program } from '../program';
import { importHistory } from '../imports/import-history-store';

/** Everything that is done besides requests. */
export function jobKinds(program: Program): readonly JobKind[] {
  return [createImportKind(program, importHistory)];
}

/** The names of users, including deleted ones. */
export const loadUserNames: LoadUserNames = async (queries, ids) => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string }>`select id, concat_ws(' ', first_name, last_name) as name
    from users where id = any(${ids}::integer[])`.execute(queries);
  return new Map(rows.map(({ id, name }) => [id, name]));
};

/** `jobs`, with the names of those who started them. */
export function registerJobs(api: FastifyInstance, program: Program): void {
  registerJobRoutes(api, program, loadUserNames);
}
