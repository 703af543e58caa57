import { sql } from 'kysely';
import type { Definition, FieldOf, TimerDefinition } from '../../engine/definitions/definition';
import { recordTitleOf } from '../../engine/lists/titles';
import { assertGranted } from '../access/access-filter';
import type { RequestContext } from '../access/request-context';
import type { Transaction } from '../database/database';
import { BadRequest, Conflict, Forbidden, NotFound } from '../errors/errors';
import { timerResource } from '../live/live-hub';
import { readRecord } from '../records/read/read';
import { noCompany } from '../sql/company-key';

/** The timer of a user. */
export interface Timer {
  /** The module of the records that it becomes. */
  readonly resource: string;
  /** The record that the time is spent on; null: the user can no longer see it. */
  readonly record: { readonly id: number; readonly title: string } | null;
  readonly started_at: string;
}

interface TimerRow {
  readonly resource: string;
  readonly record_id: number;
  readonly started_at: string;
}

/**
 * `GET timer`: the caller's timer; null: none runs. It stays, whatever becomes of its record and of the caller's grants, until
 * the caller ends it.
 */
export async function readTimer(context: RequestContext): Promise<Timer | null> {
  // The viewer sees no time of somebody else as their own.
  const row = context.actor.viewer ? undefined : await findTimer(context);
  return row ? toTimer(context, row) : null;
}

/**
 * `POST timer`: starts the caller's timer on a record that they may view, for callers who may create records of the module.
 * Throws Conflict if one runs already: it is not stopped by itself, since its time would be lost.
 */
export async function startTimer(context: RequestContext, resource: string, record: number): Promise<Timer> {
  const { program, actor, now } = context;
  const target = targetOf(context, resource);
  assertGranted(context, context.registry.getOrThrow(resource), 'create');
  const subject = await readRecord({ context, definition: target }, record);
  const startedTimer = await program.database.transaction(async (trx) => {
    const { rows } = await sql<TimerRow>`insert into assay.timers (site_id, user_id, resource, record_id, started_at)
      values (${actor.site_id ?? noCompany}, ${actor.id}, ${resource}, ${record}, date_trunc('milliseconds', ${now}::timestamptz))
      on conflict do nothing returning resource, record_id, started_at`.execute(trx);
    if (rows[0]) publishTimer(context, trx);
    return rows[0];
  });
  if (startedTimer)
    return {
      resource,
      record: { id: record, title: recordTitleOf(target, subject) },
      started_at: startedTimer.started_at,
    };
  const title = (await readTimer(context))?.record?.title;
  throw new Conflict(
    `Your timer runs already${title === undefined ? '' : `, on ${title}`}. Stop or discard it in the bar above, then start it here.`,
  );
}

/**
 * `PATCH timer`: what ran before `from` was recorded, the timer goes on from there. Throws as `endTimer`, and BadRequest unless
 * `from` is between the start and now.
 */
export async function continueTimer(context: RequestContext, startedAt: string, previousStart: string): Promise<Timer> {
  const { program, actor, now } = context;
  const isBetween = Date.parse(startedAt) <= Date.parse(previousStart) && Date.parse(previousStart) <= Date.parse(now);
  if (!isBetween) throw new BadRequest('from must be between the start of the timer and now.');
  const row = await program.database.transaction(async (trx) => {
    const { rows } = await sql<TimerRow>`update assay.timers set started_at = ${previousStart}
      where user_id = ${actor.id} and started_at = ${startedAt} returning resource, record_id, started_at`.execute(trx);
    if (!rows[0]) throw new Conflict(isAnother);
    publishTimer(context, trx);
    return rows[0];
  });
  // Not within the transaction: reading takes a connection of its own.
  return toTimer(context, row);
}

/**
 * `DELETE timer`: ends the timer that began at `startedAt`, whether its time was recorded or not. Throws Conflict if another one
 * runs, or none: it was ended in another window, and one that was started since is not ended unseen.
 */
export async function endTimer(context: RequestContext, startedAt: string): Promise<void> {
  const { program, actor } = context;
  await program.database.transaction(async (trx) => {
    const { rows } = await sql`delete from assay.timers where user_id = ${actor.id} and started_at = ${startedAt}
      returning user_id`.execute(trx);
    if (!rows[0]) throw new Conflict(isAnother);
    publishTimer(context, trx);
  });
}

const isAnother = 'This timer was ended in another window.';

async function findTimer({ actor, program }: RequestContext): Promise<TimerRow | undefined> {
  const { rows } = await sql<TimerRow>`select resource, record_id, started_at from assay.timers
    where user_id = ${actor.id}`.execute(program.database.kysely);
  return rows[0];
}

async function toTimer(context: RequestContext, row: TimerRow): Promise<Timer> {
  const { resource, record_id, started_at } = row;
  return { resource, record: await findTarget(context, resource, record_id), started_at };
}

/** The record as the caller sees it now. */
async function findTarget(context: RequestContext, resource: string, id: number): Promise<Timer['record']> {
  try {
    const target = targetOf(context, resource);
    return { id, title: recordTitleOf(target, await readRecord({ context, definition: target }, id)) };
  } catch (error) {
    if (error instanceof NotFound || error instanceof Forbidden) return null;
    throw error;
  }
}

/** The resource that records of a resource with a timer refer to. Throws NotFound for any other resource. */
function targetOf({ registry }: RequestContext, resource: string): Definition {
  const definition = registry.get(resource);
  const timer: TimerDefinition | null | undefined = definition?.timer;
  if (!definition || !timer) throw new NotFound();
  return registry.getOrThrow((definition.fields[timer.relation] as FieldOf<'relation'>).to);
}

function publishTimer({ program, actor }: RequestContext, trx: Transaction): void {
  program.live.publish({ resource: timerResource, id: null, event: 'changed', user_id: actor.id }, trx);
}
