import { sql } from 'kysely';
import type { Program } from '../program';
import { sendNow } from '../queue/queue';
import { runAutomation } from './run-automation';
import { scheduleAutomations } from './schedules';
import { attemptDelivery } from './webhooks/deliver';

/** Runs, and calls of webhooks, that one server does at once. */
const runsAtOnce = 4;
const callsAtOnce = 6;
/** Milliseconds between two looks for work whose message is missing. */
const sweepInterval = 60_000;
/** Messages that one sweep sends again. */
const sweepSize = 5_000;
const hour = 60 * 60_000;

/** Starts doing what automations decided. Returns a function that stops it and waits for what is running. */
export async function startAutomation(program: Program): Promise<() => Promise<void>> {
  const { queue, log } = program;
  await queue.start({
    automations: { run: ({ run }) => runAutomation(program, run!), atOnce: runsAtOnce },
    deliveries: { run: ({ delivery }, signal) => attemptDelivery(program, delivery!, { signal }), atOnce: callsAtOnce },
  });
  let running: Promise<unknown> = Promise.resolve();
  const background = (what: string, work: () => Promise<void>) => () => {
    running = running.then(work).catch((error: Error) => log.warn(`${what}: ${error.message}`));
  };
  const sweep = background('Messages of the queue could not be checked', () => sendMissing(program, 60));
  const tidy = background('Old runs could not be deleted', () => deleteOld(program));
  await sendMissing(program, 0);
  tidy();
  const timers = [setInterval(sweep, sweepInterval), setInterval(tidy, hour)].map((timer) => timer.unref());
  const stopSchedules = scheduleAutomations(program);
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await stopSchedules();
    await running;
  };
}

/**
 * Sends messages for what has been due for so many seconds and is still waiting: its message was lost with a server, or
 * with the queue. One too many does no harm.
 */
export async function sendMissing(program: Program, seconds: number): Promise<void> {
  const late = sql`state = 'waiting' and next_at <= now() - make_interval(secs => ${seconds})`;
  const { kysely } = program.database;
  const runs = await sql<{ run: number }>`select id as run from assay.automation_runs where ${late}
    order by next_at limit ${sweepSize}`.execute(kysely);
  const deliveries = await sql<{ delivery: number }>`select id as delivery from assay.webhook_deliveries where ${late}
    order by next_at limit ${sweepSize}`.execute(kysely);
  if (runs.rows.length > 0) await sendNow(program, 'automations', runs.rows);
  if (deliveries.rows.length > 0) await sendNow(program, 'deliveries', deliveries.rows);
}

/** Deletes runs and deliveries that ended so long ago as jobs are kept. */
async function deleteOld({ database, settings }: Program): Promise<void> {
  const old = sql`finished_at < now() - make_interval(days => ${settings.jobs.retentionDays})`;
  await sql`delete from assay.automation_runs where ${old}`.execute(database.kysely);
  await sql`delete from assay.webhook_deliveries where ${old}`.execute(database.kysely);
}
