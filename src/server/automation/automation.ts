import { sql } from 'kysely';
import type { Program } from '../program';
import { deleteOldDueTimes } from './due-times';
import { runAutomation } from './run-automation';
import { attemptDelivery } from './webhooks/deliver';

/** Runs, and calls of webhooks, that one server does at once. */
const runsAtOnce = 4;
const callsAtOnce = 6;
/** Seconds between two searches for work whose message is missing, and the most of one search. */
const searchEvery = 60;
const searchSize = 5_000;

/** Starts doing what automations decided. Returns a function that stops it and waits for what is running. */
export function startAutomation(program: Program): () => Promise<void> {
  const { queue, database } = program;
  const isOverdue = (seconds: number) => sql`state = 'waiting' and next_at <= now() - make_interval(secs => ${seconds})
    order by next_at limit ${searchSize}`;
  const stops = [
    queue.work('automations', {
      atOnce: runsAtOnce,
      run: ({ run }) => runAutomation(program, Number(run)),
      searchEvery,
      findMissing: async (seconds) => {
        const overdueRuns = sql<{
          run: number;
        }>`select id as run from assay.automation_runs where ${isOverdue(seconds)}`;
        return (await overdueRuns.execute(database.kysely)).rows;
      },
    }),
    queue.work('deliveries', {
      atOnce: callsAtOnce,
      run: ({ delivery }, signal) => attemptDelivery(program, Number(delivery), { signal }),
      searchEvery,
      findMissing: async (seconds) => {
        const overdueDeliveries = sql<{
          delivery: number;
        }>`select id as delivery from assay.webhook_deliveries where ${isOverdue(seconds)}`;
        return (await overdueDeliveries.execute(database.kysely)).rows;
      },
    }),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

/** Deletes runs and deliveries that ended so long ago as jobs are kept, and due times that nothing asks for. */
export async function deleteOldRuns({ database, settings }: Program): Promise<void> {
  const isExpired = sql`finished_at < now() - make_interval(days => ${settings.jobs.retentionDays})`;
  await sql`delete from assay.automation_runs where ${isExpired}`.execute(database.kysely);
  await deleteOldDueTimes(database.kysely);
  await sql`delete from assay.webhook_deliveries where ${isExpired}`.execute(database.kysely);
}
